import { createHmac } from 'node:crypto';
import { parseJsonText } from '../../lib/json.ts';
import type { Journal } from '../request-log.ts';
import type { AppAnswer, AppResponse, Courier, Handling } from './transport.ts';

export interface HttpDelivery {
  eventsUrl: string | (() => string);
  signingSecret: string;
  clock: () => Date;
  /** How long the app has to acknowledge, in milliseconds. */
  patience: number;
  journal: Journal;
}

/** Requests to the app as signed HTTP. Slack: verifying requests, version v0. */
export function deliverByHttp(options: HttpDelivery): Courier {
  const { eventsUrl, signingSecret, clock, patience, journal } = options;
  return {
    async deliver(delivery: AppResponse, handling: Handling = {}): Promise<AppAnswer> {
      const url = typeof eventsUrl === 'string' ? eventsUrl : eventsUrl();
      const { body, contentType } = encode(delivery);
      const timestamp = String(handling.timestamp ?? Math.floor(clock().getTime() / 1000));
      const began = performance.now();
      const answer = await post(
        url,
        body,
        {
          'content-type': contentType,
          'x-slack-request-timestamp': timestamp,
          'x-slack-signature': handling.signature ?? sign(signingSecret, timestamp, body),
          'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
          ...(handling.retry && {
            'x-slack-retry-num': String(handling.retry.number),
            'x-slack-retry-reason': handling.retry.reason,
          }),
        },
        patience,
      );
      const timed = { ...answer, milliseconds: Math.round(performance.now() - began) };
      journal.record({
        at: clock().toISOString(),
        from: 'slack',
        to: 'app',
        what: `POST ${new URL(url).pathname} (${delivery.what})`,
        request: delivery.payload,
        status: timed.failure ?? timed.status,
        answer: timed.body,
        milliseconds: timed.milliseconds,
      });
      return timed;
    },
    methods: {},
    accept: (_request, socket) => void socket.destroy(),
    sockets: 0,
    dropSockets() {},
    async close() {},
  };
}

function encode(delivery: AppResponse): { body: string; contentType: string } {
  if (delivery.kind === 'events_api') {
    return { body: JSON.stringify(delivery.payload), contentType: 'application/json' };
  }
  const fields =
    delivery.kind === 'interactive'
      ? { payload: JSON.stringify(delivery.payload) }
      : Object.fromEntries(Object.entries(delivery.payload).map(([key, value]) => [key, String(value)]));
  return { body: new URLSearchParams(fields).toString(), contentType: 'application/x-www-form-urlencoded' };
}

function sign(secret: string, timestamp: string, body: string): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;
}

async function post(
  url: string,
  body: string,
  headers: Record<string, string>,
  patience: number,
): Promise<Omit<AppAnswer, 'milliseconds'>> {
  try {
    const signal = AbortSignal.timeout(patience);
    const response = await fetch(url, { method: 'POST', body, headers, signal, redirect: 'manual' });
    const text = await response.text();
    const read = text === '' ? null : (parseJsonText(text) ?? text);
    return { status: response.status, body: read, ...(!response.ok && { failure: 'dispatch_failed' }) };
  } catch (error) {
    const late = error instanceof Error && error.name === 'TimeoutError';
    return { status: 0, body: null, failure: late ? 'operation_timeout' : 'dispatch_failed' };
  }
}
