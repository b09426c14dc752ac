import { decode, encode } from 'fast-png';

const mostColours = 256;

type Colour = [red: number, green: number, blue: number];

/** Returns the picture in a third of the bytes, each pixel in the nearest of its 256 most frequent colours. */
export function smallPng(png: Uint8Array): Uint8Array {
  const { width, height, data, channels } = decode(png);
  const colours = new Uint32Array(width * height);
  const times = new Map<number, number>();
  for (const at of colours.keys()) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at * channels, at * channels + 3);
    const colour = (red << 16) | (green << 8) | blue;
    colours[at] = colour;
    times.set(colour, (times.get(colour) ?? 0) + 1);
  }
  const kept = [...times]
    .sort(([, one], [, other]) => other - one)
    .slice(0, mostColours)
    .map(([colour]) => colour);
  const palette = kept.map(partsOf);
  const places = new Map(kept.map((colour, place) => [colour, place]));
  for (const colour of times.keys()) {
    if (!places.has(colour)) {
      places.set(colour, nearest(partsOf(colour), palette));
    }
  }
  const indexes = Uint8Array.from(colours, (colour) => places.get(colour) ?? 0);
  return encode({ width, height, data: indexes, channels: 1, depth: 8, palette });
}

function partsOf(colour: number): Colour {
  return [(colour >> 16) & 255, (colour >> 8) & 255, colour & 255];
}

function nearest([red, green, blue]: Colour, palette: readonly Colour[]): number {
  const distances = palette.map(([r, g, b]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2);
  return distances.indexOf(Math.min(...distances));
}
