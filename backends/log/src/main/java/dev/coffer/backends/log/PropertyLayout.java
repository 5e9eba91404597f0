package dev.coffer.backends.log;

import dev.coffer.vfs.StoreCorruptException;

/**
 * The meta bytes of a property record, whose number is the commit's sequence: name and value, each
 * a length (varint) and that much UTF-8; an empty value means there is no such property any more.
 */
record PropertyLayout(String name, String value) {

  byte[] encode() {
    return new BytesOut(name.length() + value.length() + 8).text(name).text(value).toByteArray();
  }

  static PropertyLayout decode(byte[] meta) throws StoreCorruptException {
    BytesIn in = new BytesIn(meta);
    String name = in.text();
    String value = in.text();
    if (in.remaining() != 0) {
      throw BytesIn.malformed("of a property is too long: excess=" + in.remaining());
    }
    return new PropertyLayout(name, value);
  }
}
