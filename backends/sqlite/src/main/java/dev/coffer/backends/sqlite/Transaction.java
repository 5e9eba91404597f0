package dev.coffer.backends.sqlite;

import dev.coffer.codecs.Dictionary;
import dev.coffer.vfs.StoreBackendException;
import dev.coffer.vfs.StoreCorruptException;
import dev.coffer.vfs.StoreException;
import dev.coffer.vfs.spi.AttributesCodec;
import dev.coffer.vfs.spi.Change;
import dev.coffer.vfs.spi.Commit;
import dev.coffer.vfs.spi.Content;
import dev.coffer.vfs.spi.Entry;
import dev.coffer.vfs.spi.EntryKey;
import dev.coffer.vfs.spi.PackedChunk;
import dev.coffer.vfs.spi.TablePage;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The row changes of one transaction, and the counts and sums that go with them, on a copy of the
 * store's own row which the writer keeps if the transaction is committed. Not thread-safe.
 */
final class Transaction {
  /**
   * The longest packed content kept in its entry's row, in bytes. SQLite moves what makes a row
   * longer than about 1,000 bytes to a page of its own.
   */
  static final int INLINE_LIMIT = 768;

  private final Statements statements;
  private final Map<Long, Integer> counts = new TreeMap<>();
  private final List<Long> unreferenced = new ArrayList<>();
  private long writtenBytes;
  final Meta meta;

  Transaction(Statements statements, Meta meta) {
    this.statements = statements;
    this.meta = meta;
  }

  /** Content that this transaction took the last reference from. */
  List<Long> unreferenced() {
    return unreferenced;
  }

  /** About how many bytes of pages this transaction writes, at most. */
  long writtenBytes() {
    return writtenBytes;
  }

  void apply(Commit commit) throws SQLException, StoreException {
    for (Dictionary dictionary : commit.dictionaries()) {
      PreparedStatement insert = statements.get(SqliteSql.INSERT_DICTIONARY);
      insert.setLong(1, dictionary.id());
      insert.setBytes(2, dictionary.bytes());
      insert.executeUpdate();
      writtenBytes += dictionary.length();
    }
    for (Map.Entry<String, String> property : commit.properties().entrySet()) {
      setProperty(property.getKey(), property.getValue());
    }
    for (Change change : commit.changes()) {
      apply(change);
    }
    for (Map.Entry<Long, Integer> count : counts.entrySet()) {
      if (count.getValue() != 0) {
        countReference(count.getKey(), count.getValue());
      }
    }
    meta.sequence = commit.sequence();
  }

  private void setProperty(String name, String value) throws SQLException {
    PreparedStatement select = statements.get(SqliteSql.SELECT_PROPERTY);
    select.setString(1, name);
    try (ResultSet row = select.executeQuery()) {
      if (row.next()) {
        meta.propertySum -= Meta.propertyHash(name, row.getString(1));
      }
    }
    PreparedStatement write =
        statements.get(value.isEmpty() ? SqliteSql.DELETE_PROPERTY : SqliteSql.WRITE_PROPERTY);
    write.setString(1, name);
    if (!value.isEmpty()) {
      write.setString(2, value);
      meta.propertySum += Meta.propertyHash(name, value);
    }
    write.executeUpdate();
  }

  private void apply(Change change) throws SQLException, StoreException {
    writtenBytes += 2L * SqliteSql.PAGE_SIZE;
    Entry before = change.before();
    if (before != null) {
      meta.entries--;
      meta.entrySum -= EntryRow.of(before).hash();
      release(before.content());
    }
    Entry after = change.after();
    if (after == null) {
      delete(change.key());
    } else {
      put(after, before != null);
    }
  }

  private void put(Entry after, boolean replace) throws SQLException, StoreException {
    EntryRow row = EntryRow.of(after.withContent(keep(after.content())));
    byte[] attributes = row.attributes();
    if (attributes != null && attributes.length > AttributesCodec.MAX_LENGTH) {
      throw new StoreBackendException(
          "attributes are too long: path="
              + after.key().path()
              + " length="
              + attributes.length
              + " max="
              + AttributesCodec.MAX_LENGTH);
    }
    long hash = row.hash();
    meta.entries++;
    meta.entrySum += hash;
    PreparedStatement write =
        statements.get(replace ? SqliteSql.REPLACE_ENTRY : SqliteSql.INSERT_ENTRY);
    row.bind(write, hash);
    write.executeUpdate();
  }

  private void delete(EntryKey key) throws SQLException, StoreException {
    PreparedStatement delete = statements.get(SqliteSql.DELETE_ENTRY);
    delete.setBytes(1, key.parentBytes());
    delete.setString(2, key.name());
    if (delete.executeUpdate() != 1) {
      throw new StoreCorruptException(
          "entry to delete is missing: path=" + key.path(), key.path(), -1, null);
    }
  }

  /** What the entry is to say of its content, which from now on it refers to. */
  private Content keep(Content content) throws SQLException {
    if (content instanceof Content.Packed packed) {
      PackedChunk chunk = packed.chunk();
      meta.liveBytes += chunk.length();
      if (chunk.length() <= INLINE_LIMIT) {
        return content;
      }
      return new Content.Chunk(
          insert(chunk, 1),
          0,
          chunk.plainLength(),
          chunk.codecId(),
          chunk.dictionaryId(),
          chunk.length(),
          chunk.checksum());
    }
    long id = idOf(content);
    if (id != 0) {
      counts.merge(id, 1, Integer::sum);
    }
    return content;
  }

  private void release(Content content) {
    if (content instanceof Content.Packed packed) {
      meta.liveBytes -= packed.chunk().length();
    }
    long id = idOf(content);
    if (id != 0) {
      counts.merge(id, -1, Integer::sum);
    }
  }

  /** The content id that content is kept under, or 0 if it has none. */
  static long idOf(Content content) {
    if (content instanceof Content.Chunk chunk) {
      return chunk.id();
    }
    return content instanceof Content.Table table ? table.rootId() : 0;
  }

  /** Keeps a chunk or page nobody refers to yet; a page refers to its children at once. */
  long stage(PackedChunk chunk) throws SQLException, StoreException {
    if (chunk.page()) {
      byte[] page = EntryRow.exact(chunk);
      for (int i = 0; i < TablePage.count(page.length); i++) {
        if (TablePage.id(page, i) != 0) {
          countReference(TablePage.id(page, i), 1);
        }
      }
    }
    return insert(chunk, 0);
  }

  private long insert(PackedChunk chunk, long refs) throws SQLException {
    long id = meta.nextContentId++;
    PreparedStatement insert = statements.get(SqliteSql.INSERT_CONTENT);
    ContentRow.of(id, refs, chunk).bind(insert);
    insert.executeUpdate();
    insert = statements.get(SqliteSql.INSERT_CHUNK);
    insert.setLong(1, id);
    insert.setBytes(2, EntryRow.exact(chunk));
    insert.executeUpdate();
    writtenBytes += chunk.length() + SqliteSql.PAGE_SIZE;
    return id;
  }

  private void countReference(long id, int by) throws SQLException, StoreException {
    PreparedStatement update = statements.get(SqliteSql.COUNT_REFERENCE);
    update.setInt(1, by);
    update.setLong(2, id);
    try (ResultSet row = update.executeQuery()) {
      if (!row.next()) {
        throw new StoreCorruptException("content referred to is missing: id=" + id);
      }
      long refs = row.getLong(1);
      if (refs < 0) {
        throw new StoreCorruptException("content has too few references: id=" + id);
      }
      if (refs == 0) {
        unreferenced.add(id);
        meta.liveBytes -= row.getLong(2);
      } else if (refs == by) {
        meta.liveBytes += row.getLong(2);
      }
    }
    writtenBytes += 64;
  }

  /**
   * Deletes content if nothing refers to it; what only a page referred to is unreferenced then.
   *
   * @return its packed length in bytes, or 0 if it stays
   */
  long deleteUnreferenced(long id) throws SQLException, StoreException {
    ContentRow content = content(id);
    if (content == null || content.refs() != 0) {
      return 0;
    }
    if (content.page()) {
      byte[] page = page(content);
      for (int i = 0; i < TablePage.count(page.length); i++) {
        if (TablePage.id(page, i) != 0) {
          countReference(TablePage.id(page, i), -1);
        }
      }
    }
    for (String sql : List.of(SqliteSql.DELETE_CHUNK, SqliteSql.DELETE_CONTENT)) {
      PreparedStatement delete = statements.get(sql);
      delete.setLong(1, id);
      delete.executeUpdate();
    }
    writtenBytes += content.packedLength() / 8 + SqliteSql.PAGE_SIZE;
    return content.packedLength();
  }

  private @Nullable ContentRow content(long id) throws SQLException, StoreException {
    PreparedStatement select = statements.get(SqliteSql.SELECT_CONTENT);
    select.setLong(1, id);
    try (ResultSet row = select.executeQuery()) {
      return row.next() ? ContentRow.read(row, id) : null;
    }
  }

  private byte[] page(ContentRow content) throws SQLException, StoreException {
    PreparedStatement select = statements.get(SqliteSql.SELECT_CHUNK);
    select.setLong(1, content.id());
    try (ResultSet row = select.executeQuery()) {
      byte[] page = row.next() ? row.getBytes(ContentRow.COLUMNS + 1) : null;
      if (page == null
          || !TablePage.isValidLength(page.length)
          || PackedChunk.checksum(page, 0, page.length) != content.checksum()) {
        throw new StoreCorruptException("table page is damaged: id=" + content.id());
      }
      return page;
    }
  }
}
