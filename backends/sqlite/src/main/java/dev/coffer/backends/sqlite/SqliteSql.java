package dev.coffer.backends.sqlite;

import java.util.List;

/**
 * Every piece of SQL this backend ever runs. The schema's text is part of the format: a file whose
 * schema differs by a character is refused, so that no view, trigger, generated column or extra
 * table of a hostile file is ever evaluated.
 */
final class SqliteSql {
  /** "Coff" in ASCII: tells a store from any other SQLite database. */
  static final int APPLICATION_ID = 0x436f6666;

  /** The version of the schema, kept as SQLite's user_version. */
  static final int SCHEMA_VERSION = 1;

  static final int PAGE_SIZE = 4096;

  static final String CREATE_META =
      """
      CREATE TABLE meta (
        id INTEGER PRIMARY KEY,
        store_id BLOB NOT NULL,
        created INTEGER NOT NULL,
        sequence INTEGER NOT NULL,
        forced INTEGER NOT NULL,
        entries INTEGER NOT NULL,
        entry_sum INTEGER NOT NULL,
        property_sum INTEGER NOT NULL,
        next_content_id INTEGER NOT NULL,
        live_bytes INTEGER NOT NULL,
        row_hash INTEGER NOT NULL
      ) STRICT\
      """;

  static final String CREATE_ENTRY =
      """
      CREATE TABLE entry (
        parent BLOB NOT NULL,
        name TEXT NOT NULL,
        kind INTEGER NOT NULL,
        version INTEGER NOT NULL,
        length INTEGER NOT NULL,
        modified INTEGER NOT NULL,
        modified_nanos INTEGER NOT NULL,
        mode INTEGER NOT NULL,
        attributes BLOB,
        link_target TEXT,
        content_kind INTEGER NOT NULL,
        content_id INTEGER NOT NULL,
        content_offset INTEGER NOT NULL,
        plain_length INTEGER NOT NULL,
        packed_length INTEGER NOT NULL,
        codec INTEGER NOT NULL,
        dictionary INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        chunk_length INTEGER NOT NULL,
        row_hash INTEGER NOT NULL,
        inline BLOB,
        PRIMARY KEY (parent, name)
      ) STRICT, WITHOUT ROWID\
      """;

  static final String CREATE_CONTENT =
      """
      CREATE TABLE content (
        id INTEGER PRIMARY KEY,
        refs INTEGER NOT NULL,
        page INTEGER NOT NULL,
        codec INTEGER NOT NULL,
        dictionary INTEGER NOT NULL,
        plain_length INTEGER NOT NULL,
        packed_length INTEGER NOT NULL,
        checksum INTEGER NOT NULL,
        row_check INTEGER NOT NULL
      ) STRICT\
      """;

  /** Apart from {@code content}, so that counting a reference never rewrites the bytes. */
  static final String CREATE_CHUNK =
      """
      CREATE TABLE chunk (
        id INTEGER PRIMARY KEY,
        data BLOB NOT NULL
      ) STRICT\
      """;

  static final String CREATE_DICTIONARY =
      """
      CREATE TABLE dictionary (
        id INTEGER PRIMARY KEY,
        data BLOB NOT NULL
      ) STRICT\
      """;

  static final String CREATE_PROPERTY =
      """
      CREATE TABLE property (
        name TEXT PRIMARY KEY NOT NULL,
        value TEXT NOT NULL
      ) STRICT, WITHOUT ROWID\
      """;

  /** Makes the sweep at open cost as much as there is garbage, not as there is content. */
  static final String CREATE_UNREFERENCED =
      "CREATE INDEX unreferenced ON content (id) WHERE refs = 0";

  /** Name, type, table and text of each object a store has. */
  record SchemaObject(String type, String name, String table, String sql) {}

  static final List<SchemaObject> SCHEMA =
      List.of(
          new SchemaObject("table", "meta", "meta", CREATE_META),
          new SchemaObject("table", "entry", "entry", CREATE_ENTRY),
          new SchemaObject("table", "content", "content", CREATE_CONTENT),
          new SchemaObject("table", "chunk", "chunk", CREATE_CHUNK),
          new SchemaObject("table", "dictionary", "dictionary", CREATE_DICTIONARY),
          new SchemaObject("table", "property", "property", CREATE_PROPERTY),
          new SchemaObject("index", "unreferenced", "content", CREATE_UNREFERENCED));

  static final String SELECT_SCHEMA =
      "SELECT type, name, tbl_name, sql FROM main.sqlite_schema LIMIT 64";

  /**
   * Set on every connection before anything is read. No mapping: reading a mapped file that
   * somebody truncates kills the JVM.
   */
  static final List<String> HARDEN =
      List.of(
          "PRAGMA trusted_schema = OFF",
          "PRAGMA cell_size_check = ON",
          "PRAGMA mmap_size = 0",
          "PRAGMA temp_store = MEMORY");

  /** Checkpoints are made by this backend itself, because SQLite would hide their errors. */
  static final List<String> PREPARE_WRITER =
      List.of(
          "PRAGMA wal_autocheckpoint = 0",
          "PRAGMA journal_size_limit = 33554432",
          "PRAGMA cache_size = -16384");

  static final List<String> PREPARE_READER =
      List.of("PRAGMA query_only = ON", "PRAGMA cache_size = -2048");

  /** Before the first table is made, or they have no effect. */
  static final List<String> PREPARE_NEW =
      List.of(
          "PRAGMA page_size = " + PAGE_SIZE,
          "PRAGMA encoding = 'UTF-8'",
          "PRAGMA auto_vacuum = INCREMENTAL",
          "PRAGMA application_id = " + APPLICATION_ID,
          "PRAGMA user_version = " + SCHEMA_VERSION,
          "PRAGMA synchronous = FULL");

  static final String USE_WAL = "PRAGMA journal_mode = WAL";
  static final String SYNCHRONOUS_FULL = "PRAGMA synchronous = FULL";

  /** Not OFF: a checkpoint must force the log before it touches the database. */
  static final String SYNCHRONOUS_NORMAL = "PRAGMA synchronous = NORMAL";

  static final String ROLLBACK = "ROLLBACK";

  /** All checkpoint statements answer (busy, frames in the log, frames checkpointed). */
  static final String CHECKPOINT_STATE = "PRAGMA wal_checkpoint(NOOP)";

  static final String CHECKPOINT_PASSIVE = "PRAGMA wal_checkpoint(PASSIVE)";
  static final String CHECKPOINT_RESTART = "PRAGMA wal_checkpoint(RESTART)";
  static final String CHECKPOINT_TRUNCATE = "PRAGMA wal_checkpoint(TRUNCATE)";

  static final String PAGE_LENGTH = "PRAGMA page_size";
  static final String FREE_PAGES = "PRAGMA freelist_count";
  static final String PAGES = "PRAGMA page_count";
  static final String INTEGRITY = "PRAGMA integrity_check(20)";

  static String incrementalVacuum(long pages) {
    return "PRAGMA incremental_vacuum(" + pages + ")";
  }

  private static final String META_COLUMNS =
      "store_id, created, sequence, forced, entries, entry_sum, property_sum, next_content_id,"
          + " live_bytes, row_hash";

  static final String SELECT_META = "SELECT " + META_COLUMNS + " FROM meta WHERE id = 1";

  static final String WRITE_META =
      "INSERT OR REPLACE INTO meta (" + META_COLUMNS + ", id) VALUES (?,?,?,?,?,?,?,?,?,?,1)";

  /** In the order of {@link EntryRow}; what names the row comes last. */
  private static final String ENTRY_COLUMNS =
      "kind, version, length, modified, modified_nanos, mode, attributes, link_target,"
          + " content_kind, content_id, content_offset, plain_length, packed_length, codec,"
          + " dictionary, checksum, chunk_length, row_hash, inline";

  /**
   * What {@link EntryRow} reads. All numbers come as one text: the driver asks for the name of
   * every column of every query, which for so many costs more than finding the row.
   */
  private static final String ENTRY_READ =
      "format('%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d', kind, version, length, modified,"
          + " modified_nanos, mode, content_kind, content_id, content_offset, plain_length,"
          + " packed_length, codec, dictionary, checksum, chunk_length, row_hash), attributes,"
          + " link_target, inline";

  static final String SELECT_ENTRY =
      "SELECT " + ENTRY_READ + " FROM entry WHERE parent = ? AND name = ?";

  static final String SCAN_ENTRIES =
      "SELECT "
          + ENTRY_READ
          + ", parent, name FROM entry WHERE (parent, name) >= (?, ?) ORDER BY parent, name LIMIT"
          + " ?";

  static final String ENTRIES_WITHOUT_CONTENT =
      "SELECT parent, name, content_id FROM entry WHERE content_id <> 0 AND NOT EXISTS (SELECT 1"
          + " FROM content WHERE content.id = entry.content_id)";

  private static final String ENTRY_VALUES =
      " INTO entry ("
          + ENTRY_COLUMNS
          + ", parent, name) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";

  static final String INSERT_ENTRY = "INSERT" + ENTRY_VALUES;
  static final String REPLACE_ENTRY = "INSERT OR REPLACE" + ENTRY_VALUES;
  static final String DELETE_ENTRY = "DELETE FROM entry WHERE parent = ? AND name = ?";

  private static final String CONTENT_COLUMNS =
      "refs, page, codec, dictionary, plain_length, packed_length, checksum, row_check";

  static final String SELECT_CONTENT = "SELECT " + CONTENT_COLUMNS + " FROM content WHERE id = ?";

  static final String SELECT_CHUNK =
      "SELECT "
          + CONTENT_COLUMNS
          + ", data FROM content JOIN chunk ON chunk.id = content.id WHERE content.id = ?";

  static final String SCAN_CONTENT =
      "SELECT "
          + CONTENT_COLUMNS
          + ", content.id, chunk.id, length(data) FROM content LEFT JOIN chunk ON chunk.id ="
          + " content.id WHERE content.id > ? ORDER BY content.id LIMIT ?";

  static final String COUNT_CHUNKS_WITHOUT_CONTENT =
      "SELECT count(*) FROM chunk WHERE NOT EXISTS (SELECT 1 FROM content WHERE content.id ="
          + " chunk.id)";

  static final String SELECT_UNREFERENCED =
      "SELECT id FROM content WHERE refs = 0 AND id > ? ORDER BY id LIMIT ?";

  static final String INSERT_CONTENT =
      "INSERT INTO content (" + CONTENT_COLUMNS + ", id) VALUES (?,?,?,?,?,?,?,?,?)";

  static final String INSERT_CHUNK = "INSERT INTO chunk (id, data) VALUES (?, ?)";

  /** The check holds the count as a summand, so that both change alike. */
  static final String COUNT_REFERENCE =
      "UPDATE content SET refs = refs + ?1, row_check = row_check + ?1 WHERE id = ?2 RETURNING"
          + " refs, packed_length";

  static final String DELETE_CONTENT = "DELETE FROM content WHERE id = ?";
  static final String DELETE_CHUNK = "DELETE FROM chunk WHERE id = ?";

  static final String SELECT_DICTIONARY = "SELECT data FROM dictionary WHERE id = ?";
  static final String SCAN_DICTIONARIES = "SELECT id, data FROM dictionary";
  static final String INSERT_DICTIONARY =
      "INSERT OR IGNORE INTO dictionary (id, data) VALUES (?, ?)";

  /** At least one row, so that the sum is there to compare with even where all else is lost. */
  static final String SELECT_PROPERTIES =
      "SELECT meta.property_sum, property.name, property.value FROM meta LEFT JOIN property WHERE"
          + " meta.id = 1";

  static final String SELECT_PROPERTY = "SELECT value FROM property WHERE name = ?";
  static final String WRITE_PROPERTY =
      "INSERT OR REPLACE INTO property (name, value) VALUES (?, ?)";
  static final String DELETE_PROPERTY = "DELETE FROM property WHERE name = ?";

  private SqliteSql() {}
}
