// The few parts of Node that the library uses. With them, a check of the types needs no packages.

declare class Buffer extends Uint8Array {
  static alloc(size: number): Buffer;
  static concat(pieces: Buffer[]): Buffer;
  static byteLength(text: string): number;
  indexOf(value: number | string): number;
  includes(value: number | string): boolean;
  subarray(start: number, end?: number): Buffer;
  toString(encoding?: string, start?: number, end?: number): string;
}

declare const process: { env: Record<string, string | undefined> };

declare module "node:fs" {
  const fs: {
    accessSync(path: string, mode?: number): void;
    readonly constants: { readonly X_OK: number };
  };
  export default fs;
}

declare module "node:net" {
  interface Socket {
    on(event: "connect" | "close", listener: () => void): void;
    on(event: "data", listener: (data: Buffer) => void): void;
    on(event: "error", listener: (error: Error) => void): void;
    write(text: string): boolean;
    destroySoon(): void;
    destroy(): void;
    readonly writableLength: number;
  }
  const net: { connect(path: string): Socket };
  export default net;
}
