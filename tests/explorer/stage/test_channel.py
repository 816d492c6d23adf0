"""The browser's side of the channel: what is told to Python, and when."""

from __future__ import annotations

import pytest

# A channel with a clock of its own; acts come from the test: ["change", name, value], ["post",
# options], ["pass", milliseconds], ["answer", rev], ["drop"], ["alone"].
RUN = """(acts) => {
  const { Channel } = window.stageModules.channel;
  const [later, never] = [globalThis.setTimeout, globalThis.clearTimeout];
  const clock = performance.now;
  const timers = new Map();
  let now = 0, last = 0;
  globalThis.setTimeout = (act, wait) => (timers.set(++last, [now + wait, act]), last);
  globalThis.clearTimeout = (id) => timers.delete(id);
  performance.now = () => now;
  document.querySelector ??= () => null;
  const sent = [];
  try {
    const stage = { guard: (run) => run(), changesSent() {}, viewKey: "v" };
    const channel = new Channel(stage);
    channel.send = (name, message) => sent.push([now, message]);
    const pass = (span) => {
      const end = now + span;
      for (;;) {
        const [due] = [...timers].filter(([, [at]]) => at <= end)
          .sort((a, b) => a[1][0] - b[1][0]);
        if (!due) break;
        timers.delete(due[0]);
        now = due[1][0];
        due[1][1]();
      }
      now = end;
    };
    for (const [act, ...given] of acts) {
      if (act === "pass") pass(...given);
      else if (act === "answer") channel.acknowledge(...given);
      else if (act === "alone") channel.alone = true;
      else channel[act](...given);
    }
    return { sent, left: [...channel.changes.keys()], unsent: channel.unsent };
  } finally {
    globalThis.setTimeout = later;
    globalThis.clearTimeout = never;
    performance.now = clock;
  }
}"""


def told(at: int, rev: int, hand: bool = False, **changes: object) -> tuple:
    return at, rev, hand, changes


A1, A2, B2 = (["change", name, value] for name, value in (("a", 1), ("a", 2), ("b", 2)))
SOON, MOVING, SINGLE = ["post"], ["post", {"moving": True}], ["post", {"single": True}]


@pytest.mark.parametrize(
    ("acts", "messages", "left"),
    [
        pytest.param(
            [A1, SOON, ["pass", 30], B2, SOON, ["pass", 60]],
            [told(90, 1, a=1, b=2)], ["a", "b"], id="quick changes are one message",
        ),
        pytest.param(
            [A1, SOON, ["pass", 60], ["answer", 1],
             B2, SOON, ["pass", 60]],
            [told(60, 1, a=1), told(120, 2, b=2)], ["b"], id="what is answered is not told again",
        ),
        pytest.param(
            [A1, SOON, ["pass", 60], B2, SOON, ["pass", 60]],
            [told(60, 1, a=1), told(120, 2, a=1, b=2)], ["a", "b"], id="what is not, goes along",
        ),
        pytest.param(
            [A1, SOON, ["pass", 60], A2, ["answer", 1]],
            [told(60, 1, a=1)], ["a"], id="a late answer leaves what was done since",
        ),
        pytest.param(
            [A1, SINGLE], [told(0, 1, a=1)], ["a"], id="a single act waits for no other",
        ),
        pytest.param(
            [A1, SINGLE, B2, SINGLE, ["pass", 30], A2, SINGLE, ["pass", 60]],
            [told(0, 1, a=1), told(90, 2, a=2, b=2)], ["a", "b"], id="those that follow it do",
        ),
        pytest.param(
            [A1, SINGLE, ["answer", 1], B2, SINGLE],
            [told(0, 1, a=1), told(0, 2, b=2)], ["b"], id="unless it has its answer",
        ),
        pytest.param(
            [A1, MOVING, A2, MOVING,
             ["change", "a", 3], MOVING, ["pass", 200], ["answer", 1]],
            [told(0, 1, True, a=1), told(200, 2, True, a=3)], ["a"],
            id="a hand that moves waits for the answer, then tells the newest value",
        ),
        pytest.param(
            [A1, MOVING, A2, MOVING, ["pass", 2000]],
            [told(0, 1, True, a=1), told(2000, 2, True, a=2)], ["a"], id="but not for ever",
        ),
        pytest.param(
            [A1, MOVING, A2, SOON, ["pass", 60]],
            [told(0, 1, True, a=1), told(60, 2, a=2)], ["a"], id="one that lets go does not",
        ),
        pytest.param(
            [A1, SOON, ["pass", 4060], ["answer", 1], ["pass", 9000]],
            [told(60, 1, a=1), told(4060, 1, a=1)], [], id="no answer: told again",
        ),
        pytest.param(
            [["answer", 7], A1, SOON, ["pass", 60]],
            [told(60, 8, a=1)], ["a"], id="after the revision that Python knows",
        ),
        pytest.param(
            [A1, SOON, ["drop"], ["pass", 9000]], [], [],
            id="of other data: forgotten",
        ),
        pytest.param(
            [["alone"], A1, SOON, ["pass", 9000]], [], ["a"],
            id="a saved page tells nobody",
        ),
    ],
)  # fmt: skip
def test_what_is_told_and_when(js, acts, messages, left):
    found = js.evaluate(RUN, acts)
    assert [(at, m["rev"], m["hand"], m["changes"]) for at, m in found["sent"]] == messages
    assert all(message["view_key"] == "v" for _, message in found["sent"])
    assert found["left"] == left
