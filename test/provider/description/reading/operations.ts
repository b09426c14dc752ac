import { chaptersOf } from './endpoints.ts';
import type { ReadFields } from './fields.ts';
import { sectionsOf } from './markdown.ts';
import { sentenceAfter } from './records.ts';
import { type ReadRequest, requestReader } from './requests.ts';
import { answerReader } from './responses.ts';

/** An endpoint as documented. */
export interface ReadOperation {
  readonly section: string;
  readonly method: string;
  readonly path: string;
  readonly request: ReadRequest;
  readonly response: ReadFields | 'not shown';
}

/** Reads every endpoint of §4 of the API's documentation in Markdown. Throws where a part is missing. */
export function readOperations(page: string): ReadOperation[] {
  const sections = sectionsOf(page);
  const readRequest = requestReader(sections);
  const readAnswer = answerReader(sections);
  return chaptersOf(sections).map((chapter) => {
    const { section, method, path, text } = chapter;
    const opening = /response(?: 200)?(?:: | shape: )/i.exec(text)?.[0] ?? '';
    const answer = sentenceAfter(text, opening);
    const response = answer.startsWith('not shown') ? 'not shown' : readAnswer(answer);
    return { section, method, path, request: readRequest(chapter), response };
  });
}
