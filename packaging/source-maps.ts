const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The parts of a source map that a stack trace needs. */
export interface SourceMapFile {
  version: number;
  sources: string[];
  mappings: string;
}

/**
 * Returns a source map with some of its sources alone. What came of the others maps to nothing.
 *
 * Source maps: Mappings structure. Numbers are relative to those of the segment before, the column to that in its line.
 */
export function keepSources(map: SourceMapFile, keeps: (source: string) => boolean): SourceMapFile {
  const sources = map.sources.filter(keeps);
  const indexes = map.sources.map((source) => sources.indexOf(source));
  const place = [0, 0, 0];
  const written = [0, 0, 0];

  function keepInLine(line: string): string {
    const kept: string[] = [];
    let [column, writtenColumn, isMapped] = [0, 0, true];
    for (const segment of line === '' ? [] : line.split(',')) {
      const [columns = 0, ...moves] = readNumbers(segment);
      column += columns;
      moves.slice(0, 3).forEach((move, part) => {
        place[part] = (place[part] ?? 0) + move;
      });
      const [source = 0, ...position] = place;
      const index = moves.length === 0 ? -1 : (indexes[source] ?? -1);
      if (index === -1 && !isMapped) {
        continue;
      }
      isMapped = index !== -1;
      const target = isMapped ? [index, ...position] : [];
      kept.push(
        [column - writtenColumn, ...target.map((part, at) => part - (written[at] ?? 0))]
          .map(writeNumber)
          .join(''),
      );
      writtenColumn = column;
      target.forEach((part, at) => {
        written[at] = part;
      });
    }
    return kept.join(',');
  }

  return { version: map.version, sources, mappings: map.mappings.split(';').map(keepInLine).join(';') };
}

/** Base 64, the lowest five bits first; the sixth says that more follow, the lowest of all is the sign. */
function readNumbers(segment: string): number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const digit of segment) {
    const bits = digits.indexOf(digit);
    value |= (bits & 31) << shift;
    shift += 5;
    if (bits < 32) {
      numbers.push((value & 1) === 1 ? -(value >> 1) : value >> 1);
      [value, shift] = [0, 0];
    }
  }
  return numbers;
}

function writeNumber(number: number): string {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  let text = '';
  do {
    const more = rest >> 5;
    text += digits[(rest & 31) | (more > 0 ? 32 : 0)];
    rest = more;
  } while (rest > 0);
  return text;
}
