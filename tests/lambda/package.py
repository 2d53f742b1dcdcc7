#!/usr/bin/env python3
"""Lists what `sam build` made, and checks that it is the program and the artifact and nothing else.

    python3 tests/lambda/package.py FOLDER ARTIFACT

FOLDER is SAM's build folder, ARTIFACT what was built into it. Prints a table of markdown; exits 1 when something is there that should not be, or is
missing, or is not what it should be.
"""

import io
import os
import pathlib
import sys
import zipfile

# What Lambda unpacks at most: all layers and the function together.
MOST_BYTES = 250 * 1024 * 1024
WANTED = {"Function": ["bootstrap"], "Content": ["site.shelf"]}


def zipped(files, folder):
    """The size of the archive that SAM would upload, in bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in files:
            archive.write(folder / name, name)
    return len(buffer.getvalue())


def main(folder, artifact):
    folder, total = pathlib.Path(folder), 0
    print("| part | file | bytes | as a zip |")
    print("|---|---|---|---|")
    for part, wanted in WANTED.items():
        files = sorted(str(path.relative_to(folder / part)) for path in (folder / part).rglob("*") if path.is_file())
        for name in files:
            size = (folder / part / name).stat().st_size
            total += size
            print(f"| `{part}` | `{name}` | {size:,} | {zipped(files, folder / part):,} |")
        assert files == wanted, f"{part} holds {files}"
    program = folder / "Function" / "bootstrap"
    assert os.access(program, os.X_OK), f"{program} is not executable"
    assert program.read_bytes()[:4] == b"\x7fELF", f"{program} is no program"
    packed = (folder / "Content" / "site.shelf").read_bytes()
    assert packed == pathlib.Path(artifact).read_bytes(), "the packaged artifact is another one"
    assert total < MOST_BYTES, f"{total} bytes are more than Lambda takes"
    assert (folder / "template.yaml").is_file(), "there is no built template"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
