/** The checks of a run: each has a name, passes, fails, or is skipped for a reason that is printed and counted. */

/** The reason to skip what needs WebAssembly. */
export const NO_WASM = 'there is no WebAssembly (npm run build:prebuilds wasm32)';

/** Thrown by a check that cannot run here: the message is the reason. */
export class Skipped extends Error {}

/** Runs checks, prints a line for each, and counts them. */
export class Checks {
  #passed = 0;
  #failed = 0;
  /** Lines `NAME: REASON`. */
  #skipped = [];

  /** Calls `body`, which throws an error if the check fails, or {@link Skipped}. */
  check = (name, body) => {
    try {
      body();
      this.#passed += 1;
      console.log(`ok: ${name}`);
    } catch (error) {
      if (error instanceof Skipped) {
        this.skip(name, error.message);
        return;
      }
      this.#failed += 1;
      console.log(`FAILED: ${name}\n${String(error.message).replace(/^/gm, '    ')}`);
    }
  };

  /** Counts `name`, one check or a group, as skipped. */
  skip = (name, reason) => {
    this.#skipped.push(`${name}: ${reason}`);
    console.log(`skipped: ${name}: ${reason}`);
  };

  /** Prints the counts, and what was skipped, in lines that begin with `title`. Sets the exit code if a check failed. */
  end(title) {
    for (const line of this.#skipped) console.log(`${title}: skipped: ${line}`);
    console.log(`${title}: ${this.#passed} passed, ${this.#failed} failed, ${this.#skipped.length} skipped`);
    if (this.#failed > 0) process.exitCode = 1;
  }
}
