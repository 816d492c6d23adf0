"""The browser's side of the channel: which messages are sent to Python, and when."""

import pytest

# A channel with a simulated clock. Actions of a test: ["change", name, value], ["post", options],
# ["pass", milliseconds], ["answer", rev], ["drop"], ["alone"], ["poll"], ["back"] to another page,
# ["mount"] another channel there; ["move"] a knob of Labels, ["carry"] to Eigenfunctions.
RUN = """(actions) => {
  const { channel: { Channel }, page } = window.stageModules;
  const { setTimeout, clearTimeout } = globalThis;
  const performanceNow = performance.now;
  const timers = new Map();
  const start = (globalThis.runs = (globalThis.runs ?? 0) + 1) * 1e6;
  let now = start, lastId = 0;
  globalThis.setTimeout = (run, wait) => (timers.set(++lastId, [now + wait, run]), lastId);
  globalThis.clearTimeout = (id) => timers.delete(id);
  performance.now = () => now;
  document.querySelector ??= () => null;
  const sent = [];
  const { addEventListener } = window;
  const { addEventListener: addToDocument } = document;
  let back, channel, carried;
  try {
    window.addEventListener = (kind, listener) => { if (kind === "popstate") back = listener; };
    document.addEventListener = () => {};
    page.watchLinks();
    const stage = { guard: (run) => run(), changesSent() {}, viewKey: "v", key: "labels-stage" };
    const mount = () => {
      channel = new Channel(stage);
      channel.send = (name, message) => sent.push([now - start, message]);
    };
    mount();
    const pass = (span) => {
      const end = now + span;
      for (;;) {
        const [due] = [...timers].filter(([, [time]]) => time <= end)
          .sort((a, b) => a[1][0] - b[1][0]);
        if (!due) break;
        timers.delete(due[0]);
        now = due[1][0];
        due[1][1]();
      }
      now = end;
    };
    for (const [action, ...args] of actions) {
      if (action === "pass") pass(...args);
      else if (action === "answer") channel.acknowledge(...args);
      else if (action === "alone") channel.alone = true;
      else if (action === "back") back();
      else if (action === "mount") mount();
      else if (action === "move") page.knobMoved({ ...stage, channel });
      else if (action === "carry") carried = page.carriedChanges({ key: "eigen-stage" });
      else channel[action](...args);
    }
    return { sent, left: [...channel.changes.keys()], unsent: channel.unsent, carried };
  } finally {
    globalThis.setTimeout = setTimeout;
    globalThis.clearTimeout = clearTimeout;
    performance.now = performanceNow;
    window.addEventListener = addEventListener;
    document.addEventListener = addToDocument;
  }
}"""


def message(time: int, rev: int, hand: bool = False, **changes: object) -> tuple:
    return time, rev, hand, changes


A1, A2, B2 = (["change", name, value] for name, value in (("a", 1), ("a", 2), ("b", 2)))
DELAYED, MOVING, SINGLE = ["post"], ["post", {"moving": True}], ["post", {"single": True}]


@pytest.mark.parametrize(
    ("actions", "messages", "left"),
    [
        pytest.param(
            [A1, DELAYED, ["pass", 30], B2, DELAYED, ["pass", 60]],
            [message(90, 1, a=1, b=2)], ["a", "b"], id="quick changes are one message",
        ),
        pytest.param(
            [A1, DELAYED, ["pass", 60], ["answer", 1],
             B2, DELAYED, ["pass", 60]],
            [message(60, 1, a=1), message(120, 2, b=2)], ["b"],
            id="answered changes are not sent again",
        ),
        pytest.param(
            [A1, DELAYED, ["pass", 60], B2, DELAYED, ["pass", 60]],
            [message(60, 1, a=1), message(120, 2, a=1, b=2)], ["a", "b"],
            id="unanswered changes are sent again",
        ),
        pytest.param(
            [A1, DELAYED, ["pass", 60], A2, ["answer", 1]],
            [message(60, 1, a=1)], ["a"], id="a late answer keeps later changes",
        ),
        pytest.param(
            [A1, SINGLE], [message(0, 1, a=1)], ["a"], id="a single change is sent at once",
        ),
        pytest.param(
            [A1, SINGLE, B2, SINGLE, ["pass", 30], A2, SINGLE, ["pass", 60]],
            [message(0, 1, a=1), message(90, 2, a=2, b=2)], ["a", "b"],
            id="changes that follow it wait",
        ),
        pytest.param(
            [A1, SINGLE, ["answer", 1], B2, SINGLE],
            [message(0, 1, a=1), message(0, 2, b=2)], ["b"], id="unless it was answered",
        ),
        pytest.param(
            [A1, MOVING, A2, MOVING,
             ["change", "a", 3], MOVING, ["pass", 200], ["answer", 1]],
            [message(0, 1, True, a=1), message(200, 2, True, a=3)], ["a"],
            id="a drag waits for the answer, then sends the newest value",
        ),
        pytest.param(
            [A1, MOVING, A2, MOVING, ["pass", 2000]],
            [message(0, 1, True, a=1), message(2000, 2, True, a=2)], ["a"],
            id="a drag without an answer goes on after two seconds",
        ),
        pytest.param(
            [A1, MOVING, A2, DELAYED, ["pass", 60]],
            [message(0, 1, True, a=1), message(60, 2, a=2)], ["a"],
            id="the end of a drag does not wait",
        ),
        pytest.param(
            [A1, DELAYED, ["pass", 4060], ["answer", 1], ["pass", 9000]],
            [message(60, 1, a=1), message(4060, 1, a=1)], [], id="no answer: sent again",
        ),
        pytest.param(
            [["answer", 7], A1, DELAYED, ["pass", 60]],
            [message(60, 8, a=1)], ["a"], id="revisions continue those of Python",
        ),
        pytest.param(
            [A1, DELAYED, ["drop"], ["pass", 9000]], [], [],
            id="other data: dropped",
        ),
        pytest.param(
            [A1, DELAYED, ["drop", ["b"]], ["pass", 60]], [message(60, 1, a=1)], ["a"],
            id="what does not depend on them is sent all the same",
        ),
        pytest.param(
            [A1, MOVING, ["answer", 1], DELAYED, ["drop"], ["pass", 60]],
            [message(0, 1, True, a=1), message(60, 2)], [],
            id="other data after a drag: its end is still sent",
        ),
        pytest.param(
            [["alone"], A1, DELAYED, ["pass", 9000]], [], ["a"],
            id="a saved page sends nothing",
        ),
    ],
)  # fmt: skip
def test_messages_and_their_times(js, actions, messages, left):
    result = js.evaluate(RUN, actions)
    assert [(t, m["rev"], m["hand"], m["changes"]) for t, m in result["sent"]] == messages
    assert all(m["view_key"] == "v" for _, m in result["sent"])
    assert result["left"] == left


@pytest.mark.parametrize(
    ("actions", "times"),
    [
        ([["poll"], ["pass", 150]], [100]),
        ([["poll"], ["pass", 50], ["back"], ["pass", 3900]], []),
        ([["poll"], ["pass", 50], ["back"], ["pass", 4100]], [4100]),
        ([["pass", 50], ["back"], ["pass", 20], ["mount"], ["poll"], ["pass", 150]], [170]),
    ],
)
def test_only_the_page_that_is_left_waits_with_its_questions(js, actions, times):
    assert [time for time, _ in js.evaluate(RUN, actions)["sent"]] == times


@pytest.mark.parametrize(("wait", "carried"), [(10_000, [["a", 1]]), (31_000, [])])
def test_what_is_typed_while_a_page_opens_is_carried_there_for_half_a_minute(js, wait, carried):
    actions = [["back"], A1, ["move"], ["pass", wait], ["carry"]]
    assert js.evaluate(RUN, actions)["carried"] == carried
