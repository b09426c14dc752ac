import autocannon from 'autocannon';

export interface Load {
  url: string;
  /** Requests in flight: each connection sends the next one when the last was answered. */
  connections: number;
  seconds: number;
  /** Requests in all, instead of the seconds. */
  amount?: number | undefined;
  /** Makes the next request. */
  next: () => { headers: Record<string, string>; body: string };
  /** Checks the body of a response. */
  isRight: (body: string) => boolean;
}

export interface Answers {
  /** The latency of each, in milliseconds. */
  times: number[];
  /** Responses with a wrong body. */
  wrong: number;
}

/** Sends POST requests for some seconds. Throws when one failed or had another status than 2xx. */
export async function load({ url, connections, seconds, amount, next, isRight }: Load): Promise<Answers> {
  const times: number[] = [];
  const run = autocannon({
    url,
    connections,
    duration: seconds,
    ...(amount === undefined ? {} : { amount }),
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
