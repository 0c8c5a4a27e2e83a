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
  /** The short questions for which somebody waits, by number, with who does. */
  #replies = new Map();
  #asked = 0;

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
      const number = (this.#asked += 1);
      this.#replies.set(number, { question, resolve });
      if (this.#isReady) this.#worker.postMessage({ number, question });
    });
  }

  #hear(data) {
    if (data.ready) {
      this.#isReady = true;
      if (data.compiled) this.#module = { compiled: data.compiled };
      this.#told(data);
      // A new worker knows of nothing that was asked before.
      if (this.#waiting !== null) this.ask(this.#waiting);
      for (const [number, { question }] of this.#replies) this.#worker.postMessage({ number, question });
    } else if (data.number) {
      this.#replies.get(data.number)?.resolve(data.reply);
      this.#replies.delete(data.number);
    } else if (data.begun) {
      if (data.begun === this.#waiting?.id) clearTimeout(this.#impatient);
    } else {
      this.#told(data);
    }
  }
}
