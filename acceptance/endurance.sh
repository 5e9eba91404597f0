# Shared by the scripts that interrupt a writer: a compiled acceptance/Endurance.java, and kinds of stores.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
KINDS=${KINDS:-log folder sqlite duckdb}
SEED=${SEED:-$RANDOM}
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
"$COFFER" --version >/dev/null # Builds, if it must.
classes=$WORK/classes:$HERE/../cli/target/dist/'*'
mkdir "$WORK/classes"
"${java}c" -d "$WORK/classes" -cp "$classes" "$HERE/Endurance.java"

# write STORE KIND SEED DURABILITY OPERATIONS, check STORE KIND SEED ACKNOWLEDGED; a command, not a
# function, so that in the background it is the process that is stopped and killed
endurance=("$java" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx256m -cp "$classes" Endurance)

# The last operation that a writer acknowledged, by what it printed; -1 if not even its store was open.
acknowledged() {
  awk '/^(ack|open) [0-9]+$/ {n = $2} END {print n == "" ? -1 : n}' "$1"
}
