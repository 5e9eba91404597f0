package dev.coffer.backends.duckdb;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * All SQL text. The store's file is attached as catalog {@link #STORE}; names are always qualified,
 * so that nothing a file holds can take the place of what is meant.
 *
 * <p>Entries are found by a 64-bit hash of their key under an index that is not unique: DuckDB
 * checks unique keys over-eagerly, and would refuse a key deleted and inserted anew in one
 * transaction. The key itself is compared after.
 */
final class DuckSql {
  static final String STORE = "store";
  static final String FRESH = "fresh";
  static final String SCHEMA = "main";
  static final String ENTRY = "entry";
  static final String CONTENT = "content";
  static final String CHUNK = "chunk";
  static final String DICTIONARY = "dictionary";
  static final String PROPERTY = "property";
  static final String META = "meta";

  static final String BEGIN = "BEGIN TRANSACTION";
  static final String COMMIT = "COMMIT";
  static final String ROLLBACK = "ROLLBACK";
  static final String SIZE =
      "SELECT block_size, total_blocks FROM pragma_database_size() WHERE database_name = 'store'";
  static final String CHECKPOINT = "CHECKPOINT store";
  static final String CHECKPOINT_FRESH = "CHECKPOINT fresh";
  static final String DETACH = "DETACH store";
  static final String DETACH_FRESH = "DETACH fresh";

  /** The tables as DuckDB itself words them, but for quotes; a file of other ones is no store. */
  static final List<String> TABLES =
      List.of(
          "CREATE TABLE meta(magic VARCHAR NOT NULL, format INTEGER NOT NULL, store_id BLOB NOT NULL, "
              + "sequence BIGINT NOT NULL, entries BIGINT NOT NULL, entry_sum BIGINT NOT NULL, "
              + "property_sum BIGINT NOT NULL, next_content BIGINT NOT NULL, stored_bytes BIGINT NOT NULL, "
              + "row_hash BIGINT NOT NULL);",
          "CREATE TABLE entry(key_hash BIGINT NOT NULL, parent BLOB NOT NULL, name BLOB NOT NULL, "
              + "kind TINYINT NOT NULL, version BIGINT NOT NULL, length BIGINT NOT NULL, "
              + "content BIGINT NOT NULL, record BLOB NOT NULL, inline BLOB, row_hash BIGINT NOT NULL);",
          "CREATE TABLE content(id BIGINT NOT NULL, refs BIGINT NOT NULL, page BOOLEAN NOT NULL, "
              + "packed_length INTEGER NOT NULL);",
          "CREATE TABLE chunk(id BIGINT NOT NULL, part INTEGER NOT NULL, bytes BLOB NOT NULL);",
          "CREATE TABLE dictionary(id BIGINT NOT NULL, bytes BLOB NOT NULL);",
          "CREATE TABLE property(name VARCHAR NOT NULL, value VARCHAR NOT NULL);");

  static final List<String> INDEXES =
      List.of(
          "CREATE INDEX entry_key ON entry(key_hash);",
          "CREATE INDEX content_id ON content(id);",
          "CREATE INDEX chunk_id ON chunk(id);");

  /** Tables only the writer's connection sees, for changes of many rows at once. */
  static final List<String> TEMPORARY =
      List.of(
          "CREATE TEMP TABLE gone(key_hash BIGINT, parent BLOB, name BLOB, version BIGINT)",
          "CREATE TEMP TABLE delta(id BIGINT, refs BIGINT)");

  static final String GONE = "gone";
  static final String DELTA = "delta";

  // What the catalog of the file holds. Views are only listed, never bound. Macros and types of the
  // file are not looked for, as listing DuckDB's own takes long: the file is in no search path, so
  // no name in a query here can mean one of them.
  static final String LIST_TABLES =
      "SELECT sql FROM duckdb_tables() WHERE database_name = 'store' AND schema_name = 'main'";
  static final String LIST_INDEXES =
      "SELECT sql FROM duckdb_indexes() WHERE database_name = 'store'";
  static final String COUNT_OTHERS =
      "SELECT (SELECT count(*) FROM duckdb_tables() WHERE database_name = 'store'"
          + " AND schema_name <> 'main')"
          + " + (SELECT count(*) FROM duckdb_views() WHERE database_name = 'store' AND NOT internal)"
          + " + (SELECT count(*) FROM duckdb_sequences() WHERE database_name = 'store')"
          + " + (SELECT count(*) FROM duckdb_schemas() WHERE database_name = 'store'"
          + " AND schema_name NOT IN ('main', 'information_schema', 'pg_catalog'))";

  static final String READ_META =
      "SELECT magic, format, store_id, sequence, entries, entry_sum, property_sum, next_content,"
          + " stored_bytes, row_hash FROM store.main.meta LIMIT 2";
  static final String WRITE_META =
      "UPDATE store.main.meta SET sequence = ?, entries = ?, entry_sum = ?, property_sum = ?,"
          + " next_content = ?, stored_bytes = ?, row_hash = ?";
  private static final String ENTRY_COLUMNS =
      "SELECT parent, name, kind, version, length, content, record, inline, row_hash"
          + " FROM store.main.entry ";
  private static final String PAGE = " ORDER BY parent, name LIMIT ?";
  private static final String AFTER = "(parent > ? OR (parent = ? AND name > ?))";

  /** Parameter: key hash. */
  static final String LOOKUP = ENTRY_COLUMNS + "WHERE key_hash = ?";

  /** Parameter: limit. */
  static final String SCAN_ALL = ENTRY_COLUMNS + PAGE;

  /** Parameters: parent, parent, name, limit. */
  static final String SCAN_FROM = ENTRY_COLUMNS + "WHERE " + AFTER + PAGE;

  /** Parameters: parent, parent, name, the parent to stop before, limit. */
  static final String SCAN_BETWEEN = ENTRY_COLUMNS + "WHERE " + AFTER + " AND parent < ?" + PAGE;

  /** Parameters: parent, name, limit. */
  static final String SCAN_CHILDREN = ENTRY_COLUMNS + "WHERE parent = ? AND name > ?" + PAGE;

  /** Parameters: first row id, the row id to stop before. In no order. */
  static final String SCAN_ROWS =
      "SELECT parent, name, kind, version, length, content, record, inline, row_hash, key_hash"
          + " FROM store.main.entry WHERE rowid >= ? AND rowid < ?";

  static final String HIGHEST_ROW = "SELECT coalesce(max(rowid), -1) FROM store.main.entry";

  static final String LIST_KEYS = "SELECT key_hash FROM store.main.entry";

  /** Parameters: key hash, parent, name, version. */
  static final String DELETE_ENTRY =
      "DELETE FROM store.main.entry WHERE key_hash = ? AND parent = ? AND name = ?"
          + " AND version = ?";

  static final String DELETE_GONE_ENTRIES =
      "DELETE FROM store.main.entry USING temp.main.gone AS g WHERE entry.key_hash = g.key_hash"
          + " AND entry.parent = g.parent AND entry.name = g.name AND entry.version = g.version";
  static final String CLEAR_GONE = "DELETE FROM temp.main.gone";

  /** Parameter: id. */
  static final String READ_CHUNK = "SELECT part, bytes FROM store.main.chunk WHERE id = ?";

  /** Parameters: first id, last id. */
  static final String READ_CHUNKS =
      "SELECT id, part, bytes FROM store.main.chunk WHERE id >= ? AND id <= ?";

  static final String COUNT_PARTS = "SELECT count(*) FROM store.main.chunk";

  /** Parameter: id. */
  static final String CONTENT_EXISTS = "SELECT refs FROM store.main.content WHERE id = ?";

  /** Parameters: id to start after, limit. */
  static final String LIST_CONTENT =
      "SELECT id, refs, page, packed_length FROM store.main.content WHERE id > ? ORDER BY id LIMIT ?";

  static final String LIST_DEAD_CONTENT =
      "SELECT id, page, packed_length FROM store.main.content WHERE refs <= 0";

  /** Parameters: change, id. */
  static final String ADD_REFS = "UPDATE store.main.content SET refs = refs + ? WHERE id = ?";

  static final String ADD_DELTAS =
      "UPDATE store.main.content SET refs = content.refs + d.refs FROM temp.main.delta AS d"
          + " WHERE content.id = d.id";
  static final String DELETE_DELTA_CONTENT =
      "DELETE FROM store.main.content USING temp.main.delta AS d WHERE content.id = d.id";
  static final String DELETE_DELTA_CHUNKS =
      "DELETE FROM store.main.chunk USING temp.main.delta AS d WHERE chunk.id = d.id";
  static final String CLEAR_DELTA = "DELETE FROM temp.main.delta";

  /** Parameter: id. */
  static final String READ_DICTIONARY = "SELECT bytes FROM store.main.dictionary WHERE id = ?";

  static final String LIST_DICTIONARIES = "SELECT id, bytes FROM store.main.dictionary";
  static final String READ_PROPERTIES = "SELECT name, value FROM store.main.property";

  /** Parameter: name. */
  static final String DELETE_PROPERTY = "DELETE FROM store.main.property WHERE name = ?";

  /** Parameters: name, value. */
  static final String INSERT_PROPERTY = "INSERT INTO store.main.property VALUES (?, ?)";

  private DuckSql() {}

  /**
   * The settings of a whole instance, in the order they must be made: the last one forbids to
   * change any. One thread, because only then does a checkpoint stay within the memory limit; no
   * checkpoint within a commit, because a failed one would look like a failed commit; no plan made
   * from statistics, because DuckDB 1.5 keeps such a plan when rows come that the statistics did
   * not know, and a prepared statement then misses rows, or takes all for dead.
   */
  static List<String> settings(List<String> reachableFiles) {
    return List.of(
        "SET threads = 1",
        "SET memory_limit = '512MB'",
        "SET temp_directory = ''",
        "SET checkpoint_threshold = '1TB'",
        "SET disabled_optimizers = 'statistics_propagation'",
        "SET autoinstall_known_extensions = false",
        "SET autoload_known_extensions = false",
        "SET allow_community_extensions = false",
        "SET allowed_paths = ["
            + reachableFiles.stream().map(DuckSql::literal).collect(Collectors.joining(", "))
            + "]",
        "SET enable_external_access = false",
        "SET lock_configuration = true");
  }

  /** Attaches a file; a literal in quotes, since no JDBC URL can carry every path. */
  static String attach(Path file, String catalog, boolean readOnly) {
    return "ATTACH "
        + literal(file.toString())
        + " AS "
        + catalog
        + (readOnly ? " (TYPE duckdb, READ_ONLY)" : " (TYPE duckdb, ROW_GROUP_SIZE 2048)");
  }

  /** What makes the tables of a new file attached as {@link #FRESH}. */
  static List<String> createTables() {
    return inFresh(TABLES, "TABLE ");
  }

  /** What makes the indexes of a new file, once its rows are there. */
  static List<String> createIndexes() {
    return inFresh(INDEXES, " ON ");
  }

  private static List<String> inFresh(List<String> statements, String before) {
    List<String> result = new ArrayList<>();
    for (String statement : statements) {
      result.add(statement.replaceFirst(before, before + "fresh.main."));
    }
    return result;
  }

  static final String INSERT_META =
      "INSERT INTO fresh.main.meta VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

  /** What copies all rows into a new file, in the order they are read in. */
  static final List<String> COPY =
      List.of(
          "INSERT INTO fresh.main.meta SELECT * FROM store.main.meta",
          "INSERT INTO fresh.main.property SELECT * FROM store.main.property",
          "INSERT INTO fresh.main.dictionary SELECT * FROM store.main.dictionary",
          "INSERT INTO fresh.main.entry SELECT * FROM store.main.entry",
          "INSERT INTO fresh.main.content SELECT * FROM store.main.content",
          "INSERT INTO fresh.main.chunk SELECT * FROM store.main.chunk");

  private static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
