// The module of the crate boxstep-wasm: bytes in, bytes out.

type Exports = {
  memory: WebAssembly.Memory;
  boxstep_input: (length: number) => number;
  boxstep_open: (name: number) => number;
  boxstep_ask: () => number;
  boxstep_bytes: () => number;
  boxstep_output: () => number;
  boxstep_output_length: () => number;
  boxstep_fault: () => number;
  boxstep_fault_length: () => number;
};

/** The module has stopped, and is of no use any more: what it had is lost, and another one is needed. */
export class Fault extends Error {
  override name = 'Fault';
}

/** It cannot be done, and nothing has changed. */
export class Refused extends Error {
  override name = 'Refused';
}

const coder = new TextEncoder();
const reader = new TextDecoder();

export class Module {
  private constructor(private readonly exports: Exports) {}

  /** Makes one of the bytes of `boxstep.wasm`. It wants nothing of the page: it cannot reach a file or the network. */
  static async of(wasm: BufferSource): Promise<Module> {
    const { instance } = await WebAssembly.instantiate(wasm, {});
    return new Module(instance.exports as unknown as Exports);
  }

  /** Opens a file; one that was open stays so if this is refused. */
  open(name: string, content: Uint8Array): void {
    const named = coder.encode(name);
    this.call([named, content], () => this.exports.boxstep_open(named.length));
  }

  /** Answers a request: `Request` of the crate lists them. */
  ask(request: Record<string, unknown>): string {
    return reader.decode(this.call([coder.encode(JSON.stringify(request))], () => this.exports.boxstep_ask()));
  }

  /** The file as it is now. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.call([], () => this.exports.boxstep_bytes());
  }

  private call(parts: Uint8Array[], act: () => number): Uint8Array<ArrayBuffer> {
    const { exports } = this;
    let refused: boolean;
    try {
      let at = exports.boxstep_input(parts.reduce((sum, part) => sum + part.length, 0));
      for (const part of parts) {
        new Uint8Array(exports.memory.buffer, at, part.length).set(part);
        at += part.length;
      }
      refused = act() !== 0;
    } catch (error) {
      const said = reader.decode(this.part(exports.boxstep_fault(), exports.boxstep_fault_length()));
      throw new Fault(said || String(error));
    }
    const output = this.part(exports.boxstep_output(), exports.boxstep_output_length());
    if (refused) throw new Refused(reader.decode(output));
    return output;
  }

  private part(at: number, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.exports.memory.buffer, at, length).slice();
  }
}
