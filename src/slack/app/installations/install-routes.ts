import { createHash } from 'node:crypto';
import {
  ClearStateStore,
  type CodedError,
  ErrorCode,
  type Installation,
  InstallProvider,
  InvalidStateError,
  type OrgInstallation,
  type StateStore,
} from '@slack/oauth';
import type { SlackOAuth } from '../../../config/settings.ts';
import { withOrigin } from '../../../lib/request-origin.ts';
import type { Secret } from '../../../lib/secret.ts';
import { type Clock, machineTime } from '../../../lib/time/clock.ts';
import type { SlackInstallation } from '../../../store/workspaces/slack-installations.ts';
import { html } from '../../../web/html.ts';
import { renderPage, sendPage } from '../../../web/page.ts';
import type { HttpRoute } from '../../../web/server.ts';
import { actions, button, section } from '../../block-kit/build.ts';
import { message } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { Posting } from '../../client/posting.ts';
import type { ProgramContext } from '../../client/slack-context.ts';
import type { ClientOptions } from '../../client/web-client.ts';
import { connectAction } from '../../middleware/not-performed.ts';
import { optionalScopes, scopes } from '../manifest.ts';

export const installPath = '/slack/install';
const redirectPath = '/slack/oauth_redirect';

/**
 * `GET /slack/install` leads straight to Slack, as its marketplace demands, and `GET /slack/oauth_redirect` back. They are
 * Slack's own `InstallProvider`, which checks the state and the browser's cookie; what it refreshes itself is not used.
 */
export function installRoutes(
  program: ProgramContext,
  options: {
    oauth: SlackOAuth;
    clientOptions: ClientOptions;
    /** Stores an installation, and tells its installer. */
    install: (installation: SlackInstallation) => Promise<void>;
  },
): HttpRoute[] {
  const { oauth, clientOptions, install } = options;
  const { settings, time, log } = program;
  const { commandPrefix } = settings;
  const { apiUrl } = settings.slack;
  const provider = new InstallProvider({
    clientId: oauth.clientId,
    clientSecret: oauth.clientSecret.reveal(),
    stateStore: createStateStore(program, oauth.stateSecret),
    directInstall: true,
    installUrlOptions: { scopes: [...Object.keys(scopes), ...Object.keys(optionalScopes)] },
    installationStore: {
      storeInstallation: (granted) =>
        withOrigin({ surface: 'install' }, () => install(toInstallation(granted, time.now))),
      fetchInstallation: () => Promise.reject(new Error('installations are found elsewhere')),
    },
    clientOptions,
    logger: clientOptions.logger,
    ...(apiUrl === undefined ? {} : { authorizationUrl: new URL('/oauth/v2/authorize', apiUrl).href }),
  });

  return [
    {
      method: 'GET',
      path: installPath,
      handle: (request, response) => provider.handleInstallPath(request, response),
    },
    {
      method: 'GET',
      path: redirectPath,
      handle: (request, response) =>
        provider.handleCallback(request, response, {
          successAsync: async (granted) => {
            sendPage(response, 200, installedPage({ ...leadBack(granted, apiUrl), commandPrefix }));
          },
          failureAsync: async (error) => {
            const { status, reason } = explain(error);
            log.warn({ code: error.code }, 'an installation did not succeed');
            sendPage(response, status, notInstalledPage({ reason, install: installPath }));
          },
        }),
    },
  ];
}

/** Slack: what `oauth.v2.access` grants. */
function toInstallation(granted: Installation | OrgInstallation, clock: Clock): SlackInstallation {
  const { team, enterprise, bot, user, appId } = granted;
  const isEnterpriseWide = granted.isEnterpriseInstall === true;
  const owner = isEnterpriseWide ? enterprise : team;
  if (bot === undefined || owner === undefined) {
    throw new Error('Slack granted no bot token');
  }
  const now = clock().getTime();
  return {
    ownerId: owner.id,
    isEnterpriseWide,
    name: owner.name ?? owner.id,
    appId,
    token: bot.token,
    refreshToken: bot.refreshToken,
    // The provider adds the token's time to the machine's own clock, which is not the one that the data goes by on PostgreSQL.
    expiresAt:
      bot.expiresAt === undefined ? undefined : now + (bot.expiresAt * 1000 - machineTime.now().getTime()),
    scopes: bot.scopes,
    botId: bot.id,
    botUserId: bot.userId,
    installedBy: user.id,
    installedAt: now,
  };
}

/** Slack: deep links. The second is for a browser without Slack's app. */
function leadBack({ team, enterprise, appId }: Installation | OrgInstallation, apiUrl: URL | undefined) {
  const owner = team ?? enterprise;
  const app = encodeURIComponent(appId ?? '');
  const ownerId = encodeURIComponent(owner?.id ?? '');
  const web = new URL(`/app_redirect?app=${app}&team=${ownerId}`, apiUrl ?? 'https://slack.com');
  return {
    workspace: owner?.name ?? 'your workspace',
    address: `slack://app?team=${ownerId}&id=${app}&tab=messages`,
    webAddress: web.href,
  };
}

function explain({ code, message }: CodedError): { status: number; reason: string } {
  switch (code) {
    case ErrorCode.AuthorizationError:
      return { status: 200, reason: 'The installation was cancelled in Slack.' };
    case ErrorCode.InvalidStateError:
    case ErrorCode.MissingStateError:
      return {
        status: 400,
        reason: 'This installation has expired, was completed already, or was started in another browser.',
      };
    case ErrorCode.MissingCodeError:
      return { status: 400, reason: 'Slack sent no confirmation of the installation.' };
    default:
      return /code_already_used|invalid_code/.test(message)
        ? { status: 400, reason: 'Slack’s confirmation has expired or was already used.' }
        : { status: 502, reason: 'The installation couldn’t be completed with Slack.' };
  }
}

/** The page after the installation. `address` opens the app in Slack, `webAddress` in the browser. */
export function installedPage(options: {
  workspace: string;
  address: string;
  webAddress: string;
  commandPrefix: string;
}): string {
  const { workspace, address, webAddress, commandPrefix } = options;
  return renderPage({
    title: 'Installed',
    body: html`<h1>Switchboard is installed</h1>
<p class="lead">It’s now part of <strong>${workspace}</strong>, and has sent you a message there.</p>
<p><a class="button" href="${address}">Open Slack</a></p>
<p class="note">Or <a href="${webAddress}">open it in the browser</a>.</p>
<p>Next, connect your messaging provider: open that message, or type <code>/${commandPrefix}switchboard</code>.</p>`,
  });
}

/** The page after an installation that did not succeed. `reason` is a sentence; `install` begins again. */
export function notInstalledPage({ reason, install }: { reason: string; install: string }): string {
  return renderPage({
    title: 'Not installed',
    body: html`<h1>Switchboard isn’t installed</h1>
<p class="lead">${reason}</p>
<p>Nothing has changed in Slack.</p>
<p><a class="button" href="${install}">Try again</a></p>
<p class="note">If it fails again, <a href="/support">ask for support</a>.</p>`,
  });
}

const expiresAfterSeconds = 10 * 60;
/** In characters. */
const maxState = 4_096;

/**
 * Slack's own signed states, by our clock, each good for one installation: the store knows those that were used, on any
 * instance.
 */
function createStateStore(
  { store: { slackInstallations: installations }, time: { now: clock } }: ProgramContext,
  secret: Secret,
): StateStore {
  const signed = new ClearStateStore(secret.reveal(), expiresAfterSeconds);
  return {
    generateStateParam: (options) => signed.generateStateParam(options, clock()),

    async verifyStateParam(_now, state) {
      if (state.length > maxState) {
        throw new InvalidStateError('The state is too long');
      }
      const options = await signed.verifyStateParam(clock(), state);
      const name = createHash('sha256').update(state).digest('base64');
      const now = clock().getTime();
      if (!(await installations.useState(name, { now, expires: now + expiresAfterSeconds * 1_000 }))) {
        throw new InvalidStateError('The state was used already');
      }
      return options;
    },
  };
}

/** Returns a function that welcomes who installed the app. It never rejects. */
export function createWelcome(
  { settings, log }: ProgramContext,
  posting: Posting,
): (installation: SlackInstallation) => Promise<void> {
  const { commandPrefix } = settings;
  const text = mrkdwn`*Switchboard is installed.* Connect your messaging provider with the API key from its dashboard.`;
  const welcome = message(text, [
    section(text),
    section(mrkdwn`Then everyone can begin with \`/${commandPrefix}sms\` or \`/${commandPrefix}number\`.`),
    actions('welcome', button(connectAction, 'Connect', { style: 'primary' })),
  ]);
  return async ({ ownerId, installedBy }) => {
    try {
      const conversation = await posting.openConversation(ownerId, installedBy);
      await posting.postMessage(ownerId, conversation, welcome);
    } catch (error) {
      log.warn({ err: error }, 'an installer could not be welcomed');
    }
  };
}
