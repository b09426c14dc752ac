import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseForm } from 'node:querystring';
import {
  type App,
  HTTPModuleFunctions,
  HTTPResponseAck,
  type Logger,
  type Receiver,
  verifySlackRequest,
} from '@slack/bolt';
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
  /** Undefined in socket mode. */
  verify: VerifySignature | undefined;
  /** Whether requests can be received. */
  isOpen(): boolean;
  open(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Returns the signature if Slack signed the request within the last five minutes. It has only one valid
 * spelling, so it identifies the request. Otherwise returns undefined and logs a warning.
 */
export type VerifySignature = (request: IncomingMessage, rawBody: Buffer) => string | undefined;

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
    : { ...createSocket(context, { ...options, appToken: slack.appToken }), routes: [], verify: undefined };
}

const { parseHTTPRequestBody, buildNoBodyResponse, buildSSLCheckResponse, buildUrlVerificationResponse } =
  HTTPModuleFunctions;

const bodySchema = z.record(z.string(), z.unknown());
const warnEveryMs = 60_000;
/** Slack gives up after 3 s. */
const maxAcceptWaitMs = 2_000;
/** Bolt reads `v0=HASH=1` as `v0=HASH`. Allowing that would make a repeated request look like a new one. */
const writtenSignature = /^v0=[0-9a-f]{64}$/;

/**
 * Receives Slack's requests over HTTP, with Bolt's own verification and acknowledgement. Bolt's `HTTPReceiver` is not
 * used: a signed body of `null` is unhandled promise rejection there, and it creates a second server.
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
  const verify: VerifySignature = ({ headers }, rawBody) => {
    const { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp } = headers;
    if (typeof signature !== 'string' || !writtenSignature.test(signature)) {
      warnOfSignature('it has no signature of the form v0= and 64 hex digits');
      return undefined;
    }
    const signed = { 'x-slack-signature': signature, 'x-slack-request-timestamp': Number(timestamp) };
    try {
      verifySlackRequest({ signingSecret, body: rawBody.toString(), headers: signed });
      return signature;
    } catch (error) {
      warnOfSignature(error instanceof Error ? error.message : 'unknown');
      return undefined;
    }
  };

  async function handle(request: IncomingMessage, response: ServerResponse, rawBody: Buffer): Promise<void> {
    // Slack asks without a signature whether the certificate is valid (slash commands: `ssl_check`).
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded';
    if (isForm && parseForm(rawBody.toString()).ssl_check === '1') {
      buildSSLCheckResponse(response);
      return;
    }
    if (verify(request, rawBody) === undefined) {
      buildNoBodyResponse(response, 401);
      return;
    }
    const buffered = Object.assign(request, { rawBody });
    const body = readPayload(buffered);
    if (body === undefined) {
      buildNoBodyResponse(response, 400);
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
    routes: [{ method: 'POST', path: '/slack/events', maxAcceptWaitMs, handle }],
    verify,
    isOpen: () => true,
    open: async () => {},
    close: async () => {},
  };
}

type BufferedRequest = Parameters<typeof parseHTTPRequestBody>[0];

async function dispatch(
  { app, logger, log }: { app: App | undefined; logger: Logger; log: Log },
  body: Record<string, unknown>,
  request: BufferedRequest,
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

/** Returns the object in the body of a request; undefined if the body holds no object. */
function readPayload(request: BufferedRequest): Record<string, unknown> | undefined {
  try {
    return bodySchema.safeParse(parseHTTPRequestBody(request)).data;
  } catch {
    return undefined;
  }
}
