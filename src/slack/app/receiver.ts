import type { IncomingMessage, ServerResponse } from 'node:http';
import { type App, HTTPModuleFunctions, HTTPResponseAck, type Logger, type Receiver } from '@slack/bolt';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import type { Log } from '../../lib/log.ts';
import { throttle } from '../../lib/time/throttle.ts';
import type { HttpRoute } from '../../web/server.ts';
import type { SlackContext } from '../client/slack-context.ts';
import type { ClientOptions } from '../client/web-client.ts';
import { createSocket } from './socket.ts';

/** Receives Slack's requests, over HTTP or over a socket. */
export interface SlackReceiver {
  receiver: Receiver;
  /** Where Slack sends its requests. */
  routes: readonly HttpRoute[];
  /** Whether a request is signed by Slack; undefined where requests come over a socket. */
  isSigned: IsSigned | undefined;
  /** Whether requests can be received. */
  isOpen(): boolean;
  open(): Promise<void>;
  close(): Promise<void>;
}

/** Resolves with false, and warns, unless Slack signed the request within the last five minutes. */
type IsSigned = (request: VerifiedRequest) => Promise<boolean>;

/** @param options.agent see `createSocket` */
export function createReceiver(
  context: SlackContext,
  options: { clientOptions: ClientOptions; agent: Dispatcher | undefined },
): SlackReceiver {
  const { slack } = context.settings;
  return slack.transport === 'http'
    ? receiveByHttp(context, {
        signingSecret: slack.signingSecret.reveal(),
        logger: options.clientOptions.logger,
      })
    : { ...createSocket(context, { ...options, appToken: slack.appToken }), routes: [], isSigned: undefined };
}

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
function receiveByHttp(
  { time: { elapsed }, log }: SlackContext,
  { signingSecret, logger }: { signingSecret: string; logger: Logger },
): SlackReceiver {
  let app: App | undefined;
  const warnOfSignature = throttle(warnEveryMs, elapsed, (reason: string) =>
    log.warn({ reason }, 'a request was refused for its signature; at most one a minute is logged'),
  );
  const isSigned: IsSigned = (request) =>
    parseAndVerifyHTTPRequest({ signingSecret }, request).then(
      () => true,
      (error: unknown) => {
        warnOfSignature(error instanceof Error ? error.message : 'unknown');
        return false;
      },
    );

  async function handle(request: IncomingMessage, response: ServerResponse, rawBody: Buffer): Promise<void> {
    const buffered = Object.assign(request, { rawBody });
    if (!(await isSigned(buffered))) {
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
      await dispatch({ app, logger, log }, body, buffered, response);
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
    routes: [{ method: 'POST', path: '/slack/events', handle }],
    isSigned,
    isOpen: () => true,
    open: async () => {},
    close: async () => {},
  };
}

type VerifiedRequest = Parameters<typeof parseHTTPRequestBody>[0];

async function dispatch(
  { app, logger, log }: { app: App | undefined; logger: Logger; log: Log },
  body: Record<string, unknown>,
  request: VerifiedRequest,
  response: ServerResponse,
): Promise<void> {
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

/** Returns the object in the body of a request; undefined if there is none. */
function readPayload(request: VerifiedRequest): Record<string, unknown> | undefined {
  try {
    return bodySchema.safeParse(parseHTTPRequestBody(request)).data;
  } catch {
    return undefined;
  }
}
