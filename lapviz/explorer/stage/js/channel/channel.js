// The channel between a stage and Python, one for all kinds of stage.
//
// To Python: the user's changes that Python has not answered yet, by name, with a revision. From
// Python: an answer with the last revision that it includes, which acknowledges all changes up to it.
// While a control is moved, one message is under way at a time, and the newest values follow it; a
// message that brings no answer is sent again, and then by a run of the full page: a server that was
// restarted, or has forgotten the session, knows no fragment to which the message could go.

import { channels, isBusy, isLeaving, shared } from "./page.js";
import { STORED, decode, fingerprint, store } from "./decode.js";
import { histories, record, sameJson, withPresent } from "../numbers/history.js";

const BATCH = 60; // milliseconds over which quick changes are combined into one message
const PATIENCE = 2000; // milliseconds after which the next message no longer waits for an answer
const POLL = 100; // milliseconds between two questions whether a long computation is done

export class Channel {
  // stage: a Mounted stage. The key of its data, `viewKey`, goes with every message.
  constructor(stage) {
    const mounted = performance.now();
    Object.assign(this, { stage, mounted, tag: "", payload: null, staticPart: null, alone: false });
    channels.add(this);
    this.changes = new Map(); // name: {value, rev}, until Python answers
    Object.assign(this, { rev: 0, sentRev: 0, answeredRev: 0, unsent: false, moving: false });
    this.tries = 0; // how often the last message was sent again
    this.sentMoving = false; // did the last message say that a control is still moved?
    this.abortController = new AbortController();
    const options = { capture: true, signal: this.abortController.signal };
    window.addEventListener(STORED, () => stage.guard(() => this.openPayload()), options);
    for (const kind of ["pointerdown", "keydown", "click"]) // a field is left between the first and the last
      window.addEventListener(kind, (event) => this.flushBefore(event), options);
  }

  end() {
    for (const timer of [this.timer, this.polling, this.retrying]) clearTimeout(timer);
    this.abortController.abort();
    if (shared.stages[this.key] === this.stage) delete shared.stages[this.key];
  }

  // ---- from Python ------------------------------------------------------------------------

  // A component's data. The stage opens new data; the same bytes again may mean another theme.
  receive({ data, setStateValue }) {
    this.send = setStateValue;
    this.stage.guard(() => {
      const tag = fingerprint(data);
      if (tag === this.tag) {
        this.stage.themeChanged();
        return true;
      }
      this.payload = decode(data);
      this.tag = tag;
      return this.openPayload();
    });
  }

  // Open the newest payload as soon as the static part that it names has arrived.
  openPayload() {
    if (!this.payload) return false;
    const { payload } = this;
    const { needs = this.needs, static: included, key = "" } = payload;
    const staticPart = included ?? (needs === this.needs ? this.staticPart : store.get(needs));
    if (needs && !staticPart) return false; // still under way
    clearTimeout(this.polling);
    Object.assign(this, { payload: null, needs, staticPart, key });
    this.alone = Boolean(payload.alone); // a saved page, without Python
    const { stages } = shared;
    // A stage that has left the page may still get data, but does not replace its successor.
    if (key && (this.stage.root.isConnected || !stages[key])) stages[key] = this.stage;
    try {
      this.stage.open(payload, staticPart);
    } catch (error) {
      this.tag = ""; // try the same bytes again when they come
      throw error;
    }
    return true;
  }

  // Python's answer includes all changes up to this revision.
  acknowledge(rev) {
    this.answeredRev = Math.max(this.answeredRev, rev);
    this.tries = 0;
    for (const [name, change] of this.changes) if (change.rev <= rev) this.changes.delete(name);
    if (!this.unsent) this.rev = Math.max(this.rev, rev);
    else if (this.moving && this.isAnswered) this.flush();
  }

  // Has Python answered the last message?
  get isAnswered() {
    return this.answeredRev >= this.sentRev;
  }

  // Ask whether a long computation is done.
  poll(wait = POLL) {
    clearTimeout(this.polling);
    this.polling = setTimeout(() => {
      // The question would reach the page that is being left, and Streamlit would run that page again.
      if (isLeaving(this.mounted)) this.poll();
      else if (!this.stage.gone) this.send("tick", Date.now());
    }, wait);
  }

  // ---- to Python --------------------------------------------------------------------------

  // The user has changed a setting; a value that is expensive to write may be a function.
  change(name, value) {
    this.markUnsent();
    this.changes.set(name, { value, rev: this.rev });
  }

  // There is something to send, under a new revision.
  markUnsent() {
    if (!this.unsent) this.rev += 1;
    this.unsent = true;
  }

  has(name) {
    return this.changes.has(name);
  }

  value(name) {
    return this.changes.get(name)?.value;
  }

  // Forget changes that were made to data no longer on screen; all of them by default. Others are still
  // sent, and so is the end of a move.
  drop(names = [...this.changes.keys()]) {
    for (const name of names) this.changes.delete(name);
    this.unsent &&= this.changes.size > 0 || this.sentMoving;
    if (!this.unsent) clearTimeout(this.timer);
  }

  // Send the changes soon; `moving`: the user has not let go. The release is sent even if no value changed
  // since: the answers during the move may have been coarse, and the page around waits for the final one.
  // `single`: one act, such as a click, which is sent at once unless an earlier message is unanswered.
  post({ moving = false, single = false } = {}) {
    if (this.sentMoving && !moving) this.markUnsent();
    this.moving = moving;
    clearTimeout(this.timer);
    if (moving || (single && this.isAnswered)) this.flush();
    else this.timer = setTimeout(() => this.flush(), BATCH);
  }

  flush() {
    clearTimeout(this.timer);
    if (!this.unsent || this.stage.gone) return;
    const wait = this.moving && !this.isAnswered ? PATIENCE - (performance.now() - this.sentAt) : 0;
    if (wait > 0) this.timer = setTimeout(() => this.flush(), wait);
    else if (this.alone) this.unsent = false;
    else this.sendChanges();
  }

  // An event outside the stage ends the move on it: Python receives both in that order.
  flushBefore(event) {
    if (!this.unsent || event.composedPath().includes(this.stage.root)) return;
    this.moving = false;
    this.flush();
  }

  // Send an action, which is no setting: it is not repeated with later changes.
  sendAction(name, value) {
    if (this.alone) return;
    this.change(name, value);
    this.sendChanges();
    this.changes.delete(name);
  }

  sendChanges(extra = {}) {
    const valueOf = ({ value }) => (typeof value === "function" ? value() : value);
    const changes = Object.fromEntries([...this.changes].map(([name, change]) => [name, valueOf(change)]));
    const { rev, moving } = this;
    // Changes from here on get a new revision.
    Object.assign(this, { unsent: false, sentRev: rev, sentAt: performance.now(), sentMoving: moving });
    clearTimeout(this.polling);
    this.stage.changesSent(moving);
    const { viewKey: view_key, pointCount: point } = this.stage;
    this.send("state", { rev, changes, hand: moving, view_key, point, ...extra });
    this.retry();
  }

  retry() {
    clearTimeout(this.retrying);
    this.retrying = setTimeout(() => {
      if (this.stage.gone || this.isAnswered) return;
      if (isBusy() || isLeaving(this.mounted)) return this.retry();
      this.tries += 1;
      if (this.tries % 2) return this.sendChanges({ again: Date.now() });
      shared.runPage?.(); // with the message, which Streamlit has kept
      this.retry();
    }, 2 * PATIENCE);
  }
}

// Base of every kind of stage: a node in the page, `root`, with a channel to Python; and a `board`, from
// which tests and tools learn where the picture is and whether a repaint is pending.
export class Mounted {
  constructor() {
    this.channel = new Channel(this);
  }

  // A component's data; open(payload, staticPart) is called with what is new in it.
  receive(component) {
    this.channel.receive(component);
  }

  get key() {
    return this.channel.key;
  }

  // The name under which zoom and history are saved.
  get name() {
    return `${this.key}|${this.viewKey}`;
  }

  // The key of the data on screen; "" if there are none.
  get viewKey() {
    return this.scene?.view_key ?? "";
  }

  // The same data again, perhaps in another theme.
  themeChanged() {}

  // A message was sent; `moving`: the user has not let go. A stage may have `computing`, the sign that
  // Python is at work.
  changesSent(moving) {
    if (!moving) this.computing?.update();
  }

  // No answer yet: `pending` describes a long computation, or is null.
  showPending(pending) {
    if (!pending) return this.computing.answered();
    this.computing.pending(pending);
    this.channel.poll();
  }

  // The undo history, which outlives the stage under its `name`.
  storeStack(stack) {
    this.stack = stack;
    histories.set(this.name, stack);
  }

  // Other data: its saved history if that ends in this state, else a new one.
  recallStack(present, same = sameJson) {
    this.storeStack(withPresent(histories.get(this.name), present, same));
  }

  // Another state, by the user or from Python, is a step of the history.
  updateStack(present, same = sameJson) {
    const { stack } = this;
    this.storeStack(withPresent(stack, present, same, () => record(stack, present)));
  }

  // The user moves a knob; `done`: and has let go.
  setKnob(name, value, { done = false } = {}) {
    if (this.channel.value(name) !== value) this.channel.change(name, value);
    this.channel.post({ moving: !done });
  }

  // Draw in the next frame.
  schedule() {
    this.board.pending ||= requestAnimationFrame(() => {
      this.board.pending = false;
      if (!this.gone && this.scene) this.draw();
    });
  }

  // Runs what new data from Python require.
  guard(run) {
    run();
  }

  // Ends the stage if its page is gone.
  endIfDetached() {
    if (this.gone || this.root.isConnected) return;
    this.gone = true;
    this.channel.end();
    this.end();
  }

  // Clean-up of the stage itself.
  end() {
    this.observer?.disconnect();
    this.computing?.destroy();
    this.root.remove();
  }

  // Puts the root into the page; resized() is called when its size may have changed.
  attach(parent, root, resized) {
    parent.append(root);
    this.root = root;
    this.observer = new ResizeObserver(resized);
    this.observer.observe(root);
  }

  // Something was painted: page.css no longer reserves its place.
  markPainted() {
    this.root.getRootNode().host?.toggleAttribute("data-painted", true);
  }
}
