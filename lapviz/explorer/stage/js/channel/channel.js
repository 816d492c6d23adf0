// The channel between a stage and Python, one for all kinds of stage.
//
// To Python: what a hand has changed and Python has not answered yet, by name, with a revision. From
// Python: an answer with the revision that it knows, which acknowledges all changes up to there.
// While a hand moves, one message is on its way at a time, and the newest values follow it; a
// message that brings no answer is sent again.

import { isBusy, leaving } from "./page.js";
import { STORED, decode, fingerprint, stored } from "./decode.js";

const GATHER = 60; // milliseconds over which quick changes are combined into one message
const PATIENCE = 2000; // milliseconds after which an unanswered message is no reason to wait
const LOOK = 100; // milliseconds after which to ask again whether a long computation is done

export class Channel {
  // stage: one that is Mounted. The key of its data, `viewKey`, goes with every message.
  constructor(stage) {
    Object.assign(this, { stage, tag: "", parcel: null, lasting: null, alone: false });
    this.changes = new Map(); // name: {value, rev}, until Python has answered it
    Object.assign(this, { rev: 0, sentRev: 0, answered: 0, unsent: false, moving: false });
    this.toldMoving = false; // has the last message said that a hand still moves?
    this.over = new AbortController();
    const options = { capture: true, signal: this.over.signal };
    window.addEventListener(STORED, () => stage.guard(() => this.join()), options);
    for (const act of ["pointerdown", "keydown"])
      window.addEventListener(act, (event) => this.elsewhere(event), options);
  }

  end() {
    for (const timer of [this.timer, this.looking, this.retrying]) clearTimeout(timer);
    this.over.abort();
    const { stages } = globalThis.__lapviz;
    if (stages[this.key] === this.stage) delete stages[this.key];
  }

  // ---- from Python ------------------------------------------------------------------------

  // A component's data. The stage opens what is new in it; of the same bytes it hears, too, since
  // the theme may be another one.
  receive({ data, setStateValue }) {
    this.send = setStateValue;
    this.stage.guard(() => {
      const tag = fingerprint(data);
      if (tag === this.tag) {
        this.stage.same();
        return true;
      }
      this.parcel = decode(data);
      this.tag = tag;
      return this.join();
    });
  }

  // Open the newest parcel as soon as the lasting part that it names has arrived.
  join() {
    if (!this.parcel) return false;
    const { parcel } = this;
    const { needs = this.needs, static: own, key } = parcel;
    const lasting = own ?? (needs === this.needs ? this.lasting : stored(needs));
    if (needs && !lasting) return false; // still on its way
    clearTimeout(this.looking);
    Object.assign(this, { parcel: null, needs, lasting, key });
    this.alone = Boolean(parcel.alone); // no Python listens: this is a saved page
    if (key) globalThis.__lapviz.stages[key] = this.stage;
    try {
      this.stage.open(parcel, lasting);
    } catch (error) {
      this.tag = ""; // the same bytes again are no picture yet
      throw error;
    }
    return true;
  }

  // Python knows what was done here up to this revision.
  acknowledge(rev) {
    this.answered = Math.max(this.answered, rev);
    for (const [name, change] of this.changes) if (change.rev <= rev) this.changes.delete(name);
    if (!this.unsent) this.rev = Math.max(this.rev, rev);
    else if (this.moving && this.isAnswered) this.flush();
  }

  // Has Python answered the last message?
  get isAnswered() {
    return this.answered >= this.sentRev;
  }

  // Ask whether a long computation is done.
  look(wait = LOOK) {
    clearTimeout(this.looking);
    this.looking = setTimeout(() => {
      // A question would reach the page that is being left, and Streamlit run that one again.
      if (leaving()) this.look();
      else if (!this.stage.gone) this.send("tick", Date.now());
    }, wait);
  }

  // ---- to Python --------------------------------------------------------------------------

  // A hand has changed a setting; a value that takes time to write down may be a function.
  change(name, value) {
    this.renew();
    this.changes.set(name, { value, rev: this.rev });
  }

  // There is something to tell, under a revision of its own.
  renew() {
    if (!this.unsent) this.rev += 1;
    this.unsent = true;
  }

  has(name) {
    return this.changes.has(name);
  }

  value(name) {
    return this.changes.get(name)?.value;
  }

  // Forget changes that concern other data than those on screen now; all of them by default.
  drop(names = [...this.changes.keys()]) {
    clearTimeout(this.timer);
    for (const name of names) this.changes.delete(name);
    this.unsent &&= this.changes.size > 0;
  }

  // Tell Python; `moving`: the hand has not let go. That it has is told even where the values are: the
  // answer to them while it moved may have been a coarse one, and the page around waits for it.
  // `single`: an act by itself, as a click, which waits for no others unless some are on their way.
  post(moving = false, single = false) {
    if (this.toldMoving && !moving) this.renew();
    this.moving = moving;
    clearTimeout(this.timer);
    if (moving || (single && this.isAnswered)) this.flush();
    else this.timer = setTimeout(() => this.flush(), GATHER);
  }

  flush() {
    clearTimeout(this.timer);
    if (!this.unsent || this.stage.gone) return;
    const wait = this.moving && !this.isAnswered ? PATIENCE - (performance.now() - this.sentAt) : 0;
    if (wait > 0) this.timer = setTimeout(() => this.flush(), wait);
    else if (this.alone) this.unsent = false;
    else this.tell();
  }

  // A hand that does something beside the stage has let go here: Python hears of both in that order.
  elsewhere(event) {
    if (!this.unsent || event.composedPath().includes(this.stage.root)) return;
    this.moving = false;
    this.flush();
  }

  // Tell of an act, which is no value: it is not sent a second time with later changes.
  act(name, value) {
    this.change(name, value);
    this.tell();
    this.changes.delete(name);
  }

  tell(more = {}) {
    const changes = {};
    for (const [name, { value }] of this.changes) {
      changes[name] = typeof value === "function" ? value() : value;
    }
    const { rev, moving } = this;
    // What changes from now on has a revision of its own.
    Object.assign(this, { unsent: false, sentRev: rev, sentAt: performance.now(), toldMoving: moving });
    clearTimeout(this.looking);
    this.stage.asked(moving);
    this.send("state", { rev, changes, hand: moving, view_key: this.stage.viewKey, ...more });
    this.retry();
  }

  retry() {
    clearTimeout(this.retrying);
    this.retrying = setTimeout(() => {
      if (this.stage.gone || this.isAnswered) return;
      if (isBusy() || leaving()) this.retry();
      else this.tell({ again: Date.now() });
    }, 2 * PATIENCE);
  }
}

// What every kind of stage is: a node in the page, `root`, with a channel to Python; and a `board`, of
// which the explorer's tests and tools ask where the picture is and whether it is still to be drawn.
export class Mounted {
  constructor() {
    this.channel = new Channel(this);
  }

  // A component's data; open(parcel, lasting) is called with what is new in it.
  receive(component) {
    this.channel.receive(component);
  }

  // The key of the data on screen; "" where there are none.
  get viewKey() {
    return this.scene?.view_key ?? "";
  }

  // The same data again: the theme may be another one.
  same() {}

  // A message has left; `moving`: the hand has not let go. A stage may have `computing`, which says
  // that Python is at work.
  asked(moving) {
    if (!moving) this.computing?.follow();
  }

  // There is no answer yet, but a long computation; or none at all.
  waits(pending) {
    if (!pending) return this.computing.answered(null);
    this.computing.pending(pending);
    this.channel.look();
  }

  // A knob that a hand moves; `done`: it has let go.
  setKnob(name, value, done) {
    if (this.channel.value(name) !== value) this.channel.change(name, value);
    this.channel.post(!done);
  }

  // Draw in the next frame.
  schedule() {
    this.board.pending ||= requestAnimationFrame(() => {
      this.board.pending = false;
      if (!this.gone && this.scene) this.draw();
    });
  }

  // Runs what Python's data start.
  guard(run) {
    run();
  }

  // Ends the stage if its page is gone.
  left() {
    if (this.gone || this.root.isConnected) return;
    this.gone = true;
    this.channel.end();
    this.end();
  }

  // What a stage itself has to end.
  end() {
    this.observer?.disconnect();
    this.computing?.destroy();
    this.root.remove();
  }

  // Its node in the page; resized() is called as its size may change.
  stand(parent, root, resized) {
    parent.append(root);
    this.root = root;
    this.observer = new ResizeObserver(resized);
    this.observer.observe(root);
  }

  // There is something to see: page.css no longer keeps its place free.
  appeared() {
    this.root.getRootNode().host?.toggleAttribute("data-painted", true);
  }
}
