def line_starts(data):
    """Where each line begins, as Python counts lines."""
    starts, at = [0], 0
    while at < len(data):
        if data[at:at + 2] == b"\r\n":
            at += 1
        if data[at] in b"\r\n":
            starts.append(at + 1)
        at += 1
    return starts


def apart(edits):
    """Those that do not touch each other; the others come with the next pass."""
    chosen, taken = [], []
    for edit in sorted(edits, key=lambda e: (e[0][0][0], -e[0][-1][1])):
        start, end = edit[0][0][0], edit[0][-1][1]
        if all(end < s or start > e for s, e in taken):
            taken.append((start, end))
            chosen.append(edit)
    return chosen


def apply(text, edits):
    data, done, out = text.encode("utf-8"), 0, []
    for start, end, new in sorted(s for edit in edits for s in edit[0]):
        out += [data[done:start], new.encode("utf-8")]
        done = end
    return b"".join(out + [data[done:]]).decode("utf-8")


def moved(places, edits):
    """Where what begins at these places of a text stands once the edits are made, without what they replace."""
    splices = [splice for edit in edits for splice in edit[0]]
    kept = [p for p in places if not any(start < p < end for start, end, _ in splices)]
    return set(p + sum(len(new.encode("utf-8")) - (end - start) for start, end, new in splices if end <= p) for p in kept)


def migrate(text, beside, doubtful):
    passes, lazy = [], set()
    for index in range(PASSES):
        found = Pass(text, index == 0, lazy, beside, doubtful)
        found.look()
        edits = apart(found.edits)
        if not edits:
            break
        passes.append(edits)
        lazy = moved(lazy | set(place for edit, place in found.made_lazy if edit in edits), edits)
        text = apply(text, edits)
    # What Python refuses only after it has parsed.
    compile(text, "script", "exec", dont_inherit=True)
    return {"passes": passes, "notes": sorted(found.notes)}


def refusal(error):
    return {"error": [error.lineno or 1, error.offset or 0, str(error.msg)]}


def answer(script):
    own, where = script.get("own"), (script.get("beside", ()), script.get("doubtful", False))
    try:
        return dict(migrate(script["text"], *where), own=False)
    except SyntaxError as error:
        if own is None:
            return refusal(error)
        try:
            return dict(migrate(own, *where), own=True)
        except SyntaxError:
            return refusal(error)
