import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Controls, ControlsChange, PhoneReply } from '../../../controls.ts';
import type { LoggedRequest } from '../../../lib/logged-request.ts';
import { bundlePage } from '../../../page/serve.ts';
import type { Phone } from '../../../provider/phones/phones.ts';
import { accountWebhookSchema, defaultWebhook } from '../../../provider/webhook/account-webhook.ts';
import type { Snapshot, UserAction, UserActionResult } from '../../../slack/protocol.ts';
import { gallery, now } from './gallery.ts';

/** The sandbox's HTTP API over a snapshot that the test controls. Records the page's actions. */
export interface FakeServer extends AsyncDisposable {
  url: string;
  snapshot: Snapshot;
  exchanges: LoggedRequest[];
  phones: Phone[];
  /** What the page has changed of the sandbox, and what was typed on phones. */
  changes: ControlsChange[];
  replies: PhoneReply[];
  /** Answers changes with this error. */
  problem: string | undefined;
  actions: UserAction[];
  /** The results of actions. 200 without an answer by default. */
  answer: (action: UserAction) => Partial<UserActionResult> | Promise<Partial<UserActionResult>>;
  /** Sends a change event to the page. */
  changed(): void;
  /** Resolves with the next action of the kind. */
  next<Kind extends UserAction['do']>(kind: Kind): Promise<Extract<UserAction, { do: Kind }>>;
}

const controls: Controls = {
  app: {
    name: 'Switchboard',
    hasHome: true,
    isReadOnly: true,
    instances: ['ready'],
    transport: 'http',
    url: 'http://127.0.0.1:4302/',
    oauth: false,
    log: '.sandbox/app.log',
  },
  provider: {
    up: true,
    url: 'http://127.0.0.1:4301',
    key: 'sandbox-key-palm-market',
    balance: 24_990,
    phonebooks: [{ id: '64c07f1e9d2b5a8813e4f0a1', name: 'Loyal customers' }],
    magicNumbers: [{ number: '+2348030009001', what: 'No answer at all. Nothing is accepted.' }],
    deliveryNumbers: [{ number: '+2348030009703', what: 'It expires.' }],
    webhook: defaultWebhook,
    numberRules: ['A number that ends in 7 is on DND.'],
  },
  now: new Date(now * 1000).toISOString(),
  clockShifted: true,
};

/** Applies a fill to the state of the view, as Slack does. */
function fill(
  { modals }: Snapshot,
  { viewId, blockId, actionId, state }: Extract<UserAction, { do: 'fill' }>,
): void {
  const view = modals.find(({ id }) => id === viewId);
  if (view) {
    view.values[blockId] = { ...view.values[blockId], [actionId]: state };
  }
}

/** Bundled once for all tests of a file. */
let bundled: ReturnType<typeof bundlePage> | undefined;

export async function startFakeServer(): Promise<FakeServer> {
  bundled ??= bundlePage();
  const servePage = await bundled;
  const events = new EventEmitter();
  let webhook = defaultWebhook;
  const taken = new Set<UserAction>();
  const send = (response: ServerResponse, body: unknown) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (servePage(request, response)) {
      return;
    }
    if (pathname === '/sandbox/state') {
      return send(response, feed.snapshot);
    }
    if (pathname === '/sandbox/requests') {
      return send(response, feed.exchanges);
    }
    if (pathname === '/sandbox/controls' && request.method === 'POST') {
      const change = (await json(request)) as ControlsChange;
      feed.changes.push(change);
      if (feed.problem !== undefined) {
        response.writeHead(400, { 'content-type': 'application/json' });
        return response.end(JSON.stringify({ error: feed.problem }));
      }
      if ('webhook' in change) {
        webhook = change.webhook ? accountWebhookSchema.parse(change.webhook) : defaultWebhook;
      }
    }
    if (pathname === '/sandbox/controls') {
      return send(response, { ...controls, provider: { ...controls.provider, webhook } });
    }
    if (pathname === '/sandbox/phones') {
      if (request.method === 'POST') {
        feed.replies.push((await json(request)) as PhoneReply);
      }
      return send(response, feed.phones);
    }
    if (pathname === '/sandbox/actions') {
      const action = (await json(request)) as UserAction;
      const result = await feed.answer(action);
      if (action.do === 'fill') {
        fill(feed.snapshot, action);
      }
      feed.actions.push(action);
      events.emit('action');
      return send(response, { status: 200, answer: null, milliseconds: 1, ...result });
    }
    if (pathname === '/sandbox/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const notify = () => void response.write('event: change\ndata: {}\n\n');
      events.on('change', notify);
      response.on('close', () => events.off('change', notify));
      return notify();
    }
    response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const feed: FakeServer = {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`,
    snapshot: gallery(),
    exchanges: [],
    phones: [],
    changes: [],
    replies: [],
    problem: undefined,
    actions: [],
    answer: () => ({}),
    changed: () => void events.emit('change'),
    async next(kind) {
      for (;;) {
        const found = feed.actions.find(
          (action): action is Extract<UserAction, { do: typeof kind }> =>
            action.do === kind && !taken.has(action),
        );
        if (found) {
          taken.add(found);
          return found;
        }
        await once(events, 'action');
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return feed;
}
