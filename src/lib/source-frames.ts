import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const bundleFolder = dirname(import.meta.url);
const location = /(?<file>file:\/\/[^\s()]+):(?<line>\d+):(?<column>\d+)/;
/** The maps of the bundle’s files. Read when the first error is logged: `--enable-source-maps` reads them all at the start, which takes 70 MB. */
const maps = new Map<string, SourceMap | undefined>();

/** Returns a stack frame with the place in the sources, where it names one in a bundle. */
export function mapFrame(frame: string): string {
  const { file, line, column } = location.exec(frame)?.groups ?? {};
  if (file === undefined || dirname(file) !== bundleFolder) {
    return frame;
  }
  const origin = mapOf(file)?.findOrigin(Number(line), Number(column));
  return origin !== undefined && 'fileName' in origin
    ? frame.replace(
        location,
        `${new URL(origin.fileName, file).href}:${origin.lineNumber}:${origin.columnNumber}`,
      )
    : frame;
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) {
    const path = `${fileURLToPath(file)}.map`;
    maps.set(file, existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : undefined);
  }
  return maps.get(file);
}
