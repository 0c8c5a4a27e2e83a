/**
 * The worker that answers questions. It looks for a newer question between its steps; if one of them takes long, the worker is ended, and
 * another one goes on with the newest question.
 */
class Answers {
  /** How long a question waits for the step that runs, in milliseconds. */
  static #PATIENCE = 250;
  #source;
  #told;
  #worker = null;
  /** What a worker starts with: the module as text, and once that is compiled, the result. */
  #module;
  #isReady = false;
  /** The question that the worker has not taken up yet. */
  #waiting = null;
  #impatient = 0;
  /** The questions for which somebody waits, with who does. */
  #replies = new Map();

  /** `told` gets what the worker says. */
  constructor(source, module, told) {
    this.#source = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    this.#module = { module };
    this.#told = told;
    this.#start();
  }

  #start() {
    this.#isReady = false;
    this.#worker = new Worker(this.#source);
    this.#worker.onmessage = ({ data }) => this.#hear(data);
    this.#worker.onerror = (event) => this.#told({ error: event.message });
    this.#worker.postMessage(this.#module);
  }

  /** Asks in place of the question before. */
  ask(state) {
    this.#waiting = state;
    if (!this.#isReady) return;
    this.#worker.postMessage(state);
    clearTimeout(this.#impatient);
    this.#impatient = setTimeout(() => this.#startAgain(), Answers.#PATIENCE);
  }

  #startAgain() {
    this.#worker.terminate();
    this.#start();
  }

  /** The answer to a short question, after that of the last question. */
  reply(question) {
    return new Promise((resolve) => {
      this.#replies.set(question, resolve);
      if (this.#isReady) this.#worker.postMessage({ question });
    });
  }

  #hear(data) {
    if (data.ready) {
      this.#isReady = true;
      if (data.compiled) this.#module = { compiled: data.compiled };
      this.#told(data);
      // A new worker knows of nothing that was asked before.
      if (this.#waiting !== null) this.ask(this.#waiting);
      for (const question of this.#replies.keys()) this.#worker.postMessage({ question });
    } else if (data.question) {
      this.#replies.get(data.question)?.(data.reply);
      this.#replies.delete(data.question);
    } else if (data.begun) {
      if (data.begun === this.#waiting?.id) clearTimeout(this.#impatient);
    } else {
      this.#told(data);
    }
  }
}
