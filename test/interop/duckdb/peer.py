"""Runs queries with the loadable extension in Python's duckdb.

peer.py platform                prints DuckDB's name of the platform
peer.py run EXTENSION           reads a list of queries as JSON from stdin, and prints the list of their outcomes: the types
                                and the rows as texts, or the first line of the error
peer.py interrupt EXTENSION SQL prints the seconds from an interrupt to the end of the query
"""

import json
import sys
import threading
import time

import duckdb


def connect(extension):
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    connection.execute(f"LOAD '{extension}'")
    return connection


def outcome(connection, sql):
    try:
        types = connection.execute(f"SELECT column_name, column_type FROM (DESCRIBE {sql})").fetchall()
        rows = connection.execute(f"SELECT COLUMNS(*)::VARCHAR FROM ({sql})").fetchall()
    except duckdb.Error as error:
        return {"error": str(error).split("\n")[0]}
    return {"types": types, "rows": rows}


def interrupted(connection, sql):
    at = []

    ended = threading.Event()

    # DuckDB forgets an interrupt that comes before a query runs, as it may on a busy machine.
    def interrupt():
        at.append(time.monotonic())
        while not ended.is_set():
            connection.interrupt()
            ended.wait(0.1)

    timer = threading.Timer(0.3, interrupt)
    timer.start()
    try:
        connection.execute(sql).fetchall()
    except duckdb.Error:
        return time.monotonic() - at[0]
    finally:
        ended.set()
    raise SystemExit("the query ended before the interrupt")


def main(action, extension=None, sql=None):
    if action == "platform":
        return duckdb.connect().execute("PRAGMA platform").fetchone()[0]
    connection = connect(extension)
    if action == "interrupt":
        return interrupted(connection, sql)
    # The second time does nothing.
    connection.execute(f"LOAD '{extension}'")
    return [outcome(connection, each) for each in json.load(sys.stdin)]


print(json.dumps(main(*sys.argv[1:])))
