import type { ServerResponse } from 'node:http';
import { type App, HTTPModuleFunctions, HTTPResponseAck, type Logger, type Receiver } from '@slack/bolt';
import { z } from 'zod';
import type { Log } from '../../../lib/log.ts';
import type { HttpRoute } from './server.ts';

const {
  parseAndVerifyHTTPRequest,
  parseHTTPRequestBody,
  buildNoBodyResponse,
  buildSSLCheckResponse,
  buildUrlVerificationResponse,
} = HTTPModuleFunctions;

const bodySchema = z.record(z.string(), z.unknown());
const warnEveryMs = 60_000;

/**
 * What Slack sends over HTTP, with Bolt's own verification and acknowledgement. Bolt's `HTTPReceiver` is not used: a signed
 * body of `null` is an unhandled rejection there, and it makes a server of its own.
 *
 * A request without a valid signature is answered with 401, one that cannot be read with 400, and one that nobody listens
 * to, or whose listener failed before it acknowledged, with 404. Bolt's context gets `sentAt`: when Slack sent the request, in seconds, by its signature.
 */
export function eventsRoute(parts: { path: string; signingSecret: string; logger: Logger; log: Log }): {
  route: HttpRoute;
  receiver: Receiver;
} {
  const { path, signingSecret, logger, log } = parts;
  let app: App | undefined;
  const warnOfSignature = seldom(warnEveryMs, (reason) =>
    log.warn({ reason }, 'a request was refused for its signature; at most one a minute is logged'),
  );

  async function dispatch(body: Record<string, unknown>, request: VerifiedRequest, response: ServerResponse) {
    const acknowledgement = new HTTPResponseAck({
      logger,
      processBeforeResponse: false,
      httpRequest: request,
      httpRequestBody: body,
      httpResponse: response,
    });
    let status = 404;
    try {
      await app?.processEvent({
        body,
        ack: acknowledgement.bind(),
        customProperties: { sentAt: Number(request.headers['x-slack-request-timestamp']) },
      });
    } catch (error) {
      // Bolt hands on what listeners throw to `app.error`; what it throws itself, it threw when it read the body.
      log.warn({ err: error }, 'a request of Slack could not be read');
      status = 400;
    }
    if (!response.headersSent) {
      acknowledgement.ack();
      buildNoBodyResponse(response, status);
    }
  }

  return {
    receiver: {
      init(bolt) {
        app = bolt;
      },
      start: async () => {},
      stop: async () => {},
    },
    route: {
      method: 'POST',
      path,
      async handle(request, response, rawBody) {
        const buffered = Object.assign(request, { rawBody });
        try {
          await parseAndVerifyHTTPRequest({ signingSecret }, buffered);
        } catch (error) {
          warnOfSignature(error instanceof Error ? error.message : 'unknown');
          buildNoBodyResponse(response, 401);
          return;
        }
        const body = readPayload(buffered);
        if (body === undefined) {
          buildNoBodyResponse(response, 400);
        } else if (body.ssl_check === '1') {
          buildSSLCheckResponse(response);
        } else if (body.type === 'url_verification') {
          buildUrlVerificationResponse(response, body);
        } else {
          await dispatch(body, buffered, response);
        }
      },
    },
  };
}

type VerifiedRequest = Parameters<typeof parseHTTPRequestBody>[0];

/** The object in the body of a request; undefined where there is none. */
function readPayload(request: VerifiedRequest): Record<string, unknown> | undefined {
  try {
    return bodySchema.safeParse(parseHTTPRequestBody(request)).data;
  } catch {
    return undefined;
  }
}

/** Calls `report` at most once in `milliseconds`: strangers must not be able to fill the log. */
function seldom(milliseconds: number, report: (text: string) => void): (text: string) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (text) => {
    if (performance.now() - last < milliseconds) {
      return;
    }
    last = performance.now();
    report(text);
  };
}
