import { z } from 'zod';
import type { CodeReader, CodeReaderListener } from './code-reader.ts';
import { SerialCodeReader, SerialCodeReaderSchema } from './serial-code-reader.ts';

/** A new kind is a separate file, and a line in both. */
export const CodeReaderSchema = z.discriminatedUnion('kind', [SerialCodeReaderSchema]);
export type CodeReaderConfig = z.infer<typeof CodeReaderSchema>;

export function createCodeReader(config: CodeReaderConfig, listener: CodeReaderListener): CodeReader {
  switch (config.kind) {
    case 'serial':
      return new SerialCodeReader(config, listener);
    default:
      return config.kind satisfies never;
  }
}
