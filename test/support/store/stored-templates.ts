import type { Store } from '../../../src/store/store.ts';

type Change = Parameters<Store['templates']['save']>[0];

/** A new template of T1, which other values may replace. */
export function newTemplate({
  content,
  ...given
}: Partial<Omit<Change, 'content'>> & { content?: Partial<Change['content']> } = {}): Change {
  return {
    workspaceId: 'T1',
    id: 'order',
    version: 0,
    userId: 'U1',
    state: 'current',
    ...given,
    content: {
      name: 'Order ready',
      text: 'Your order is ready',
      withoutAccents: false,
      route: 'dnd',
      senderId: 'PalmMarket',
      ...content,
    },
  };
}
