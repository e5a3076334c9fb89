"""Serves one environment of a clone of sierra-research/tau-bench over MCP (stdio): environment.py CLONE retail|airline.

Its tools are offered as they are. Beside MCP it answers `evidence/tasks`, `evidence/reset` and `evidence/state`.
Needs Python 3.9 and nothing else: what the clone imports for its user simulation is left out.
"""

import hashlib
import importlib
import json
import sys
import types
from pathlib import Path

CLONE, DOMAIN = Path(sys.argv[1]).resolve(), sys.argv[2]


class Record:
    """Stands for the clone's pydantic models, which hold the tasks."""

    def __init__(self, **members):
        self.__dict__.update(members)


def open_clone():
    sys.path.insert(0, str(CLONE))
    # Packages without their __init__, which imports model clients.
    for name in ("tau_bench", "tau_bench.envs", f"tau_bench.envs.{DOMAIN}"):
        package = types.ModuleType(name)
        package.__path__ = [str(CLONE.joinpath(*name.split(".")))]
        sys.modules[name] = package
    models = types.ModuleType("tau_bench.types")
    models.Action = models.Task = Record
    sys.modules["tau_bench.types"] = models
    folder = f"tau_bench.envs.{DOMAIN}"
    tools = importlib.import_module(f"{folder}.tools").ALL_TOOLS
    load = importlib.import_module(f"{folder}.data").load_data
    tasks = importlib.import_module(f"{folder}.tasks_test")
    wiki = CLONE.joinpath("tau_bench", "envs", DOMAIN, "wiki.md").read_text()
    listed = getattr(tasks, "TASKS_TEST", None) or tasks.TASKS
    return {tool.get_info()["function"]["name"]: tool for tool in tools}, load, listed, wiki


TOOLS, load_data, TASKS, WIKI = open_clone()
WRITES = ("book", "cancel", "exchange", "modify", "return", "send", "update", "transfer")
data = load_data()


def to_tool(tool):
    info = tool.get_info()["function"]
    return {
        "name": info["name"],
        "description": info["description"],
        "inputSchema": info["parameters"],
        "annotations": {"readOnlyHint": not info["name"].startswith(WRITES)},
    }


def call(name, arguments):
    try:
        text = TOOLS[name].invoke(data=data, **arguments)
    except Exception as error:
        text = f"Error: {error}"
    result = {"content": [{"type": "text", "text": text}]}
    if text.startswith("Error"):
        return {**result, "isError": True}
    try:
        value = json.loads(text)
    except ValueError:
        return result
    return {**result, "structuredContent": value} if isinstance(value, dict) else result


def to_task(task):
    calls = [{"tool": a.name, "arguments": a.kwargs} for a in task.actions if a.name in TOOLS]
    return {"instruction": task.instruction, "calls": calls}


def answer(method, params):
    global data
    if method == "initialize":
        server = {"name": f"tau-bench-{DOMAIN}", "version": "1.0.0"}
        version = params["protocolVersion"]
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": server}
    if method == "tools/list":
        return {"tools": [to_tool(tool) for tool in TOOLS.values()]}
    if method == "tools/call":
        return call(params["name"], params.get("arguments", {}))
    if method == "evidence/tasks":
        return {"tasks": [to_task(task) for task in TASKS], "system": WIKI}
    if method == "evidence/reset":
        data = load_data()
        return {}
    if method == "evidence/state":
        text = json.dumps(data, sort_keys=True)
        return {"sha256": hashlib.sha256(text.encode()).hexdigest()}
    return {}


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        result = answer(request["method"], request.get("params", {}))
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)
