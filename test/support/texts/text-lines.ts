import fc from 'fast-check';
import { isJsonObject, toJson } from '../../../sandbox/lib/json.ts';
import { renderFor } from '../../../src/slack/block-kit/text.ts';
import { examples } from '../../slack/features/examples/examples.ts';
import { plainWords } from '../slack/example-words.ts';
import { distinctLines } from './distinct-lines.ts';
import { screenLines } from './screen-lines.ts';
import type { ShownScreens } from './shown-screens.ts';
import { sourceTexts } from './source-texts.ts';

/**
 * Every text of the product, a line each. First the screens and messages as people were shown them, then those with an example,
 * each drawn `draws` times. Last come the sentences in the source, file by file: errors, help, tool descriptions, pages of the
 * web server, notices, log messages, the terminal and the sandbox.
 */
export function textLines(shown: ShownScreens, draws: number): string[] {
  return [
    '# The texts of Switchboard',
    '## Screens: in use',
    ...[...shown].flatMap(([name, lines]) => [`### ${name}`, ...distinctLines(lines)]),
    ...exampleTexts(draws),
    '## The source',
    ...sourceTexts(),
  ];
}

function exampleTexts(draws: number): string[] {
  return Object.entries(examples).flatMap(([feature, screensOf]) => [
    `## Screens: ${feature}`,
    ...Object.entries(screensOf(plainWords)).flatMap(([name, screens]) => {
      const drawn = fc.sample(screens, { numRuns: draws, seed: 1 });
      const lines = drawn.map((screen) => toJson(renderFor('person', screen)));
      return [`### ${name}`, ...distinctLines(lines.filter(isJsonObject).flatMap(screenLines))];
    }),
  ]);
}
