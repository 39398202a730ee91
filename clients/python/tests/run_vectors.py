"""Runs the vectors of vectors.jsonl with the Python client: run_vectors.py VECTORS ENVIRONMENT, one line of results for each."""
import dataclasses
import json
import re
import sys
import time

import gatehouse


def main(vectors_file, environment_file):
    with open(environment_file, encoding="utf-8") as file:
        environment = json.load(file)
    with open(vectors_file, encoding="utf-8") as file:
        for index, line in enumerate(file):
            results = run_vector(json.loads(line), index, environment)
            print(json.dumps({"index": index, "results": results}), flush=True)


def run_vector(vector, index, environment):
    options = vector.get("client", {})
    reported = []
    try:
        client = create_client(options, index, environment, reported)
    except gatehouse.GatehouseError as error:
        return [{"error": describe(error)}]
    results = []
    for step in vector["steps"]:
        reported.clear()
        for _ in range(step.get("times", 1)):
            started = time.monotonic()
            try:
                result = run_step(client, step, resolve(step.get("input", {}), results), options)
            except gatehouse.GatehouseError as error:
                result = {"error": describe(error)}
            result["elapsed_ms"] = (time.monotonic() - started) * 1000
            if step.get("until") == "error" and result.get("error"):
                break
        if step["call"] in ("protect_signup", "protect_form"):
            result["reported"] = list(reported)
        results.append(result)
    return results


def create_client(options, index, environment, reported):
    settings = {"timeout_ms": options.get("timeout_ms", 60_000)}
    for name in ("max_retries", "trusted_proxies", "on_failure", "mode"):
        settings[name] = options.get(name)
    breaker = options.get("breaker")
    settings["breaker"] = gatehouse.BreakerOptions(**breaker) if isinstance(breaker, dict) else breaker
    url = options.get("url")
    return gatehouse.Gatehouse(
        url=f"{environment['base_url']}/{index}{options.get('path', '')}" if url is None else environment["urls"][url],
        key=environment["keys"][options.get("key", "live")],
        on_error=lambda error: reported.append(error.code),
        **{name: value for name, value in settings.items() if value is not None},
    )


def run_step(client, step, values, options):
    call, request = step["call"], step.get("request", {})
    if call == "wait":
        time.sleep(values["ms"] / 1000)
        return {}
    # A WSGI environ has one text for each header; pairs have every line.
    headers = [tuple(pair) for pair in request.get("headers", [])]
    if call == "client_ip":
        trusted = options.get("trusted_proxies")
        return {"ip": gatehouse.client_ip(headers, trusted_proxies=trusted, peer=request.get("peer"))}
    if call == "protect_signup":
        return describe_decision(client.protect_signup(headers, peer=request.get("peer"), **values))
    if call == "protect_form":
        return describe_form(client.protect_form(headers, peer=request.get("peer"), **values))
    return describe_answer(getattr(client, call)(**values))


def describe_form(form):
    mail = None if form.mail is None else {"link": form.mail.link, "code": form.mail.code}
    signup = None if form.signup is None else form.signup.decision
    return {**form.__dict__, "mail": mail, "signup": signup}


def describe_decision(decision):
    answer = {"answer": None} if decision.assessment is None else describe_answer(decision.assessment)
    return {
        "decision": decision.decision,
        "failed_open": decision.failed_open,
        "mail_unwanted": decision.mail_unwanted,
        "ip": decision.ip,
        "error": None if decision.error is None else decision.error.code,
        **answer,
    }


def describe_answer(answer):
    described = {"answer": answer.raw, "meta": dataclasses.asdict(answer.meta)}
    if isinstance(answer, gatehouse.Assessment):
        described["model"] = {
            "verdict": answer.verdict,
            "score": answer.score,
            "session_id": answer.session_id,
            "first_reason": answer.reasons[0].code if answer.reasons else None,
            "domain": answer.signals.email.domain,
            "ip": None if answer.signals.ip is None else answer.signals.ip.address,
            "has_challenge": answer.challenge is not None,
            "has_shadow_verdict": answer.shadow_verdict is not None,
        }
    return described


def describe(error):
    name = re.sub(r"Error$", "", type(error).__name__)
    quota = None if error.quota is None else dataclasses.asdict(error.quota)
    kind = re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()
    members = ("code", "message", "status", "param", "resolution", "retry_after_ms", "tries")
    return {"kind": kind, "quota": quota, **{member: getattr(error, member) for member in members}}


def resolve(value, results):
    """Replaces "$0.answer.request_id" by that member of the result of step 0."""
    if isinstance(value, str) and value.startswith("$"):
        index, *path = value[1:].split(".")
        found = results[int(index)]
        for name in path:
            found = found[name]
        return found
    if isinstance(value, dict) and "$repeat" in value:
        text, times = value["$repeat"]
        return text * times
    if isinstance(value, list):
        return [resolve(each, results) for each in value]
    return {name: resolve(each, results) for name, each in value.items()} if isinstance(value, dict) else value


if __name__ == "__main__":
    main(*sys.argv[1:])
