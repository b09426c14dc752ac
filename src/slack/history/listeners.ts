import type { ModalView } from '@slack/types';
import type { Reader } from '../../services/history.ts';
import { notice, section } from '../blocks/build.ts';
import { mrkdwn } from '../blocks/text.ts';
import { back, onwards, outset } from '../blocks/trail.ts';
import { Refusal } from '../errors.ts';
import type { ActionCall, Asker, Listening } from '../listening/calls.ts';
import { onceEach } from '../once.ts';
import { requestKey } from '../request-key.ts';
import type { Tools } from '../tools.ts';
import { historyFiles } from './export.ts';
import {
  exportAction,
  historyView,
  openHistoryAction,
  perPage,
  type Stand,
  standSchema,
  title,
  turnHistory,
  whoseAction,
} from './views.ts';

const rememberedExports = 100;

/** Admins see everyone's unless they want their own; others see their own, whatever a view says. */
export function readerOf({ workspaceId, personId, role }: Asker, whose: Stand['whose']): Reader {
  return { workspaceId, personId, whose: role === 'admin' ? whose : 'own' };
}

/** The history as a person finds it when they open it. */
export function createHistoryView({ services, wordings }: Tools) {
  return async (asker: Asker, stand: Stand = { whose: 'everyone', ...outset }): Promise<ModalView> => {
    const reader = readerOf(asker, stand.whose);
    const page = await services.history.page(reader, { after: stand.after || undefined, limit: perPage });
    return historyView(
      page,
      { ...stand, whose: reader.whose },
      { wordings, isAdmin: asker.role === 'admin' },
    );
  };
}

/** What was done: page by page, and as a file for admins. */
export function listenToHistory(listening: Listening, tools: Tools): void {
  const { services, wordings, files } = tools;
  const once = onceEach<number>(rememberedExports);
  const view = createHistoryView(tools);

  listening.action(openHistoryAction, async ({ asker, open }) => {
    await open(await view(asker));
  });

  const steps: Record<string, (stand: Stand, call: ActionCall) => Stand> = {
    [whoseAction]: (_, { value }) => ({ whose: value === 'own' ? 'own' : 'everyone', ...outset }),
    [turnHistory.newest]: ({ whose }) => ({ whose, ...outset }),
    [turnHistory.previous]: (stand) => ({ ...stand, ...back(stand) }),
    [turnHistory.next]: (stand, { value }) => ({ ...stand, ...onwards(stand, value) }),
  };
  for (const [actionId, step] of Object.entries(steps)) {
    listening.action(actionId, async (call) => {
      const stand = standSchema.parse(call.view?.metadata);
      await call.view?.replace(await view(call.asker, step(stand, call)));
    });
  }

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
