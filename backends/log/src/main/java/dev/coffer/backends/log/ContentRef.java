package dev.coffer.backends.log;

/**
 * What a row says about where its content is, without the files at hand.
 *
 * @param form the form of the content, of {@link EntryLayout}
 * @param id the content id, or 0
 * @param location where the packed bytes lie if not under an id; else the row's own segment and -1
 * @param packedLength how long they are
 */
record ContentRef(int form, long id, Location location, long packedLength) {

  boolean isInline() {
    return form == EntryLayout.FORM_INLINE;
  }

  boolean isLocated() {
    return form == EntryLayout.FORM_LOCATED;
  }

  boolean hasId() {
    return id != 0;
  }
}
