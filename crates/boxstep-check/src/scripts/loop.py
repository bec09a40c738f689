def serve():
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 3000))
    out = sys.stdout
    out.write(json.dumps({"python": "%d.%d.%d" % sys.version_info[:3]}) + "\n")
    out.flush()
    for line in sys.stdin.buffer:
        try:
            found = answer(json.loads(line.decode("utf-8")))
        except (RecursionError, MemoryError):
            found = {"error": [1, 0, "nested too deeply"]}
        except ValueError as error:
            found = {"error": [1, 0, str(error)]}
        out.write(json.dumps(found) + "\n")
        out.flush()


serve()
