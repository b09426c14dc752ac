import type { ServerResponse } from 'node:http';
import { type App, HTTPModuleFunctions, HTTPResponseAck, type Logger, type Receiver } from '@slack/bolt';
import { z } from 'zod';
import { throttle } from '../../../lib/time/throttle.ts';
import type { SlackContext } from '../../client/slack-context.ts';
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
 * Receives Slack's requests over HTTP, with Bolt's own verification and acknowledgement. Bolt's `HTTPReceiver` is not
 * used: a signed body of `null` is an unhandled rejection there, and it creates a second server.
 *
 * A request without a valid signature is answered with 401, one that cannot be read with 400, and one without a
 * listener, or whose listener failed before it acknowledged, with 404. Bolt's context gets `sentAt`: when Slack sent the
 * request, in seconds, from its signature.
 */
export function eventsRoute(
  { time: { elapsed }, log }: SlackContext,
  { path, signingSecret, logger }: { path: string; signingSecret: string; logger: Logger },
): { route: HttpRoute; receiver: Receiver } {
  let app: App | undefined;
  const warnOfSignature = throttle(warnEveryMs, elapsed, (reason: string) =>
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
      // Listeners' errors go to `app.error`; Bolt itself throws only while it reads the body.
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

/** Returns the object in the body of a request; undefined if there is none. */
function readPayload(request: VerifiedRequest): Record<string, unknown> | undefined {
  try {
    return bodySchema.safeParse(parseHTTPRequestBody(request)).data;
  } catch {
    return undefined;
  }
}
