import type { ModalView } from '@slack/types';
import { readNumber } from '../../../domain/phone/read-number.ts';
import type { HistoryReader } from '../../../services/history/history.ts';
import { firstCursor } from '../../block-kit/paging/cursor-position.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Viewer } from '../../navigation/navigation.ts';
import { entriesPerPage, type HistoryContent, type HistoryPosition, historyView, maxFound } from './views.ts';

export const firstPage: HistoryPosition = { whose: 'everyone', ...firstCursor };

/** Only an admin reads everyone's history, whatever the view says. */
export function historyReader(
  { workspaceId, userId, role }: Viewer,
  whose: HistoryPosition['whose'],
): HistoryReader {
  return { workspaceId, userId, scope: role === 'admin' ? whose : 'own' };
}

/** The history as it is now: a page of it or, for a number that was typed, what is found of it. */
export function createHistoryView({
  services,
  outcomeRenderers,
}: Pick<AppContext, 'services' | 'outcomeRenderers'>) {
  const { history, workspaces } = services;

  async function read(
    reader: HistoryReader,
    position: HistoryPosition,
    typed: string,
  ): Promise<HistoryContent> {
    const text = typed.trim();
    if (text === '') {
      const page = await history.page(reader, { after: position.after || undefined, limit: entriesPerPage });
      return { kind: 'page', page };
    }
    const { country } = await workspaces.defaults(reader.workspaceId);
    const parsed = readNumber(text, country);
    return parsed.ok
      ? { kind: 'found', number: parsed.number, found: await history.search(reader, parsed.number, maxFound) }
      : { kind: 'no_number', fault: `“${text}” ${parsed.reason}.` };
  }

  return async (
    viewer: Viewer,
    { position = firstPage, typed = '' }: { position?: HistoryPosition; typed?: string | undefined } = {},
  ): Promise<ModalView> => {
    const reader = historyReader(viewer, position.whose);
    return historyView(
      await read(reader, position, typed),
      { ...position, whose: reader.scope },
      { outcomeRenderers, isAdmin: viewer.role === 'admin', typed },
    );
  };
}
