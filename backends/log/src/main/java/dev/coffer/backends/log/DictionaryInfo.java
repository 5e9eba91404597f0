package dev.coffer.backends.log;

/**
 * Where a dictionary lies.
 *
 * @param offset where its bytes start in the file
 * @param crc the CRC32C of its bytes
 */
record DictionaryInfo(long offset, int length, int crc) {}
