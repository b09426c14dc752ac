import autocannon from 'autocannon';

export interface Load {
  url: string;
  /** Requests under way at once: each connection sends its next one when it has the answer to the last. */
  connections: number;
  seconds: number;
  /** Makes the next request; called for each anew. */
  next: () => { headers: Record<string, string>; body: string };
  /** Whether an answer's body is what it should be. */
  isRight: (body: string) => boolean;
}

export interface Answers {
  /** How long each took, in milliseconds. */
  times: number[];
  /** How many had another body than they should. */
  wrong: number;
}

/** Sends POST requests for some seconds. Throws where one failed, or was answered with other than a 2xx. */
export async function load({ url, connections, seconds, next, isRight }: Load): Promise<Answers> {
  const times: number[] = [];
  const run = autocannon({
    url,
    connections,
    duration: seconds,
    sampleInt: 50,
    requests: [{ method: 'POST', setupRequest: (request) => ({ ...request, ...next() }) }],
    verifyBody: isRight,
  });
  // Its own histogram has whole milliseconds only.
  run.on('response', (_client, _status, _bytes, milliseconds) => times.push(milliseconds));
  const { errors, non2xx, mismatches } = await run;
  if (errors > 0 || non2xx > 0 || times.length === 0) {
    throw new Error(`${times.length} answers from ${url}: ${errors} errors, ${non2xx} not 2xx.`);
  }
  return { times, wrong: mismatches };
}
