import { existsSync } from 'node:fs';
import type { LoggedRequest } from '../../../sandbox/lib/logged-request.ts';
import { readDataFiles } from './data-files.ts';

/** What a test made the program handle, and nobody may find in the clear. */
export interface PrivateTexts {
  /** Keys, tokens and secrets: not in the log, the files, or anything that the program sends to Slack. */
  keys: readonly string[];
  /** Numbers, texts, codes, ICCIDs: not in the log or the files. Slack gets them, for the person who typed them. */
  personal: readonly string[];
}

/** A shorter text, such as “Hello”, may occur in the program's own words, or among random bytes. */
const minLength = 7;
/** Texts that each file is searched for: the first and the last of them. Numbers are all looked up. */
const maxSearched = 100;

/** Returns which of the texts are in the clear in the log, in a file of the data folder, or in PostgreSQL. */
export function leaksAtRest({
  log,
  dataDir,
  dump = '',
  keys,
  personal,
}: PrivateTexts & { log: string; dataDir: string; dump?: string | undefined }): string[] {
  const texts = [...new Set([...keys, ...personal])].filter((text) => text.length >= minLength);
  const places = [
    { path: 'the log', content: log },
    { path: 'the database', content: dump },
    ...(existsSync(dataDir) ? readDataFiles(dataDir) : []).map(({ path, bytes }) => ({
      path,
      content: bytes.toString('latin1'),
    })),
  ];
  return places.flatMap(({ path, content }) =>
    textsIn(content, texts).map((text) => `${path} holds ${text} in the clear`),
  );
}

/** Returns which of the keys are in what the program sent to Slack in one exchange. */
export function leaksToSlack({ from, request, answer }: LoggedRequest, keys: readonly string[]): string[] {
  const sent = JSON.stringify(from === 'app' ? request : answer) ?? '';
  // Hundreds of keys begin alike, and few texts have such a beginning.
  const beginnings = new Set(keys.map((key) => key.slice(0, minLength)));
  return [...beginnings].some((beginning) => sent.includes(beginning))
    ? keys.filter((key) => sent.includes(key)).map((key) => `Slack was sent ${key}`)
    : [];
}

function textsIn(content: string, texts: readonly string[]): string[] {
  const [numbers, words] = [texts.filter(isNumber), texts.filter((text) => !isNumber(text))];
  const digits = new Set(numbers.length > 0 ? content.match(/\d{7,}/g) : []);
  // The files hold UTF-8, and are read byte by byte.
  const searched = words.length > maxSearched ? [...words.slice(0, 50), ...words.slice(-50)] : words;
  return [
    ...numbers.filter((number) => digits.has(number)),
    ...searched.filter((text) =>
      [...new Set([text, Buffer.from(text).toString('latin1')])].some((form) => content.includes(form)),
    ),
  ];
}

const isNumber = (text: string) => /^\d+$/.test(text);
