"""Prints every path of a tree with its type, mode, time in ns and content; also below paths that no
single system call takes. usage: listing.py TREE"""

import hashlib
import os
import stat
import sys

top = os.fsencode(sys.argv[1])
rows = []
for root, folders, files, fd in os.fwalk(top):
    for name in folders + files:
        s = os.stat(name, dir_fd=fd, follow_symlinks=False)
        path = os.path.relpath(os.path.join(root, name), top)
        if stat.S_ISLNK(s.st_mode):
            rows.append((path, "l", os.readlink(name, dir_fd=fd)))
        elif stat.S_ISREG(s.st_mode):
            with os.fdopen(os.open(name, os.O_RDONLY, dir_fd=fd), "rb") as f:
                digest = hashlib.sha256(f.read()).hexdigest()
            rows.append((path, "f", oct(s.st_mode), s.st_mtime_ns, digest))
        else:
            rows.append((path, "d", oct(s.st_mode), s.st_mtime_ns))
for row in sorted(rows):
    print(row)
