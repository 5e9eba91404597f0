package dev.coffer.backends.log;

/**
 * Where a dictionary lies.
 *
 * @param segment the number of the segment it lies in
 * @param offset where its bytes start in the segment
 * @param crc the CRC32C of its bytes
 */
record DictionaryInfo(int segment, long offset, int length, int crc) {}
