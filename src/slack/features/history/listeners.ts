import type { ModalView } from '@slack/types';
import { readNumber } from '../../../domain/phone/read-number.ts';
import { onceEach } from '../../../lib/memoize-async.ts';
import type { Reader } from '../../../services/history/history.ts';
import { notice, section } from '../../block-kit/build.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { back, onwards, outset } from '../../block-kit/trail.ts';
import type { Asker, Listening } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { Refusal } from '../../middleware/errors.ts';
import { requestKey } from '../../middleware/idempotency-key.ts';
import { historyFiles } from './export.ts';
import {
  exportAction,
  historyCallback,
  historyView,
  mostFound,
  openHistoryAction,
  perPage,
  type Shown,
  type Stand,
  searchAction,
  standSchema,
  title,
  turnHistory,
  viewMetadata,
  whoseAction,
} from './views.ts';

const rememberedExports = 100;

/** Admins see everyone's unless they want their own; others see their own, whatever a view says. */
function readerOf({ workspaceId, personId, role }: Asker, whose: Stand['whose']): Reader {
  return { workspaceId, personId, whose: role === 'admin' ? whose : 'own' };
}

/** The history as it is now: where the person stands in it, or what was found of the number they typed. */
export function createHistoryView({ services, wordings }: Pick<Tools, 'services' | 'wordings'>) {
  const { history, workspaces } = services;

  async function look(reader: Reader, stand: Stand, typed: string): Promise<Shown> {
    const text = typed.trim();
    if (text === '') {
      const page = await history.page(reader, { after: stand.after || undefined, limit: perPage });
      return { kind: 'page', page };
    }
    const { country } = await workspaces.defaults(reader.workspaceId);
    const read = readNumber(text, country);
    return read.ok
      ? { kind: 'found', number: read.number, found: await history.search(reader, read.number, mostFound) }
      : { kind: 'no_number', fault: `“${text}” ${read.reason}.` };
  }

  return async (
    asker: Asker,
    { stand = newest, typed = '' }: { stand?: Stand; typed?: string | undefined } = {},
  ): Promise<ModalView> => {
    const reader = readerOf(asker, stand.whose);
    return historyView(
      await look(reader, stand, typed),
      { ...stand, whose: reader.whose },
      { wordings, isAdmin: asker.role === 'admin', typed },
    );
  };
}

const newest: Stand = { whose: 'everyone', ...outset };

/** What was done: page by page, by number, and as a file for admins. */
export function listenToHistory(listening: Listening, tools: Tools): void {
  const { services, wordings, files } = tools;
  const once = onceEach<number>(rememberedExports);
  const view = createHistoryView(tools);

  listening.action(openHistoryAction, async ({ asker, open }) => {
    await open(await view(asker));
  });

  const steps: Record<string, (stand: Stand, value: string) => Stand> = {
    [turnHistory.newest]: ({ whose }) => ({ whose, ...outset }),
    [turnHistory.previous]: (stand) => ({ ...stand, ...back(stand) }),
    [turnHistory.next]: (stand, value) => ({ ...stand, ...onwards(stand, value) }),
  };
  for (const [actionId, step] of Object.entries(steps)) {
    listening.action(actionId, async (call) => {
      const stand = step(standSchema.parse(call.view?.metadata), call.value);
      await call.view?.replace(await view(call.asker, { stand }));
    });
  }

  listening.action(whoseAction, async ({ asker, value, view: from }) => {
    const stand = { ...newest, whose: value === 'own' ? 'own' : 'everyone' } as const;
    const { searched } = viewMetadata.parse(from?.metadata);
    await from?.replace(await view(asker, { stand, typed: searched ? from.values.number?.text : '' }));
  });

  listening.action(searchAction, async ({ asker, value, view: from }) => {
    const { whose } = standSchema.parse(from?.metadata);
    await from?.replace(await view(asker, { stand: { ...newest, whose }, typed: value }));
  });

  listening.submission(historyCallback, async ({ asker, values, metadata }) => {
    const { whose } = standSchema.parse(metadata);
    return { view: await view(asker, { stand: { ...newest, whose }, typed: values.number?.text }) };
  });

  async function share(asker: Asker): Promise<number> {
    let rows = 0;
    for await (const file of historyFiles(services.history.all(readerOf(asker, 'everyone')), wordings)) {
      await files.share(
        { personId: asker.personId },
        { ...file, comment: mrkdwn`What was done in this workspace, everyone’s, the newest first`.source },
      );
      rows += file.rows;
    }
    return rows;
  }

  listening.action(exportAction, async ({ asker, requestId, push }) => {
    if (asker.role !== 'admin') {
      throw new Refusal(mrkdwn`Only admins of this workspace can have everyone’s history as a file.`);
    }
    const replace = await push(notice(title, section(mrkdwn`:hourglass_flowing_sand: Writing the file…`)));
    const rows = await once(requestKey(asker.workspaceId, requestId), () => share(asker));
    const count = rows === 1 ? '1 row' : `${rows.toLocaleString('en')} rows`;
    await replace(
      notice(
        title,
        section(
          mrkdwn`:incoming_envelope: *The history is in your messages with Switchboard*: ${count}, phone numbers masked.`,
        ),
      ),
    );
  });
}
