"""Prints the multi-turn conversations of BFCL v4 as JSON, with what each call of the ground truth answers: replay.py FOLDER.

FOLDER holds the benchmark's files. Its simulated services are run as they are; the calls of the ground truth are read as
literals, and nothing of them is evaluated. Needs Python 3.9; without mpmath the calls that need it answer with an error.
"""

import ast
import contextlib
import copy
import importlib
import inspect
import json
import sys
import types
from pathlib import Path

ROOT = Path(sys.argv[1]).resolve() / "berkeley-function-call-leaderboard" / "bfcl_eval"
SERVICES = "bfcl_eval.eval_checker.multi_turn_eval.func_source_code"
FILES = {
    "GorillaFileSystem": "gorilla_file_system",
    "MathAPI": "math_api",
    "MessageAPI": "message_api",
    "TwitterAPI": "posting_api",
    "TicketAPI": "ticket_api",
    "TradingBot": "trading_bot",
    "TravelAPI": "travel_booking",
    "VehicleControlAPI": "vehicle_control",
}

path = ROOT.parent
for name in [SERVICES.rsplit(".", depth)[0] for depth in (3, 2, 1, 0)]:
    package = types.ModuleType(name)
    package.__path__ = [str(path.joinpath(*name.split(".")))]
    sys.modules[name] = package
try:
    importlib.import_module("mpmath")
except ImportError:
    sys.modules["mpmath"] = types.ModuleType("mpmath")


def read(file):
    lines = (ROOT / "data" / file).read_text().splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def start(conversation):
    """The methods of the services that a conversation uses, by their names."""
    methods = {}
    for name in conversation["involved_classes"]:
        service = getattr(importlib.import_module(f"{SERVICES}.{FILES[name]}"), name)()
        if hasattr(service, "_load_scenario"):
            config = conversation.get("initial_config", {}).get(name, {})
            service._load_scenario(copy.deepcopy(config), long_context=False)
        for method, bound in inspect.getmembers(service, inspect.ismethod):
            if not method.startswith("_"):
                methods[method] = bound
    return methods


def call(methods, text):
    node = ast.parse(text, mode="eval").body
    tool = node.func.id
    args = [ast.literal_eval(arg) for arg in node.args]
    named = {word.arg: ast.literal_eval(word.value) for word in node.keywords}
    method = methods[tool]
    arguments = inspect.signature(method).bind(*args, **named).arguments
    try:
        # What a service prints must not stand among the JSON.
        with contextlib.redirect_stdout(sys.stderr):
            result = method(**copy.deepcopy(arguments))
    except Exception as problem:
        result = {"error": str(problem)}
    result = json.loads(json.dumps(result, default=str))
    return {"tool": tool, "arguments": arguments, "result": result}


answers = {entry["id"]: entry["ground_truth"] for entry in read("possible_answer/BFCL_v4_multi_turn_base.json")}
conversations = []
for conversation in read("BFCL_v4_multi_turn_base.json"):
    methods = start(conversation)
    turns = []
    for said, calls in zip(conversation["question"], answers[conversation["id"]]):
        user = "\n".join(message["content"] for message in said if message["role"] == "user")
        turns.append({"user": user, "calls": [call(methods, text) for text in calls]})
    conversations.append({"id": conversation["id"], "turns": turns})
print(json.dumps(conversations))
