import type { Keyv } from 'keyv';
import { z } from 'zod';
import { maskIccid } from '../../domain/esims/iccid.ts';
import type { UpdateValue } from '../../store/key-value/update-value.ts';

/** Who created an eSIM in Switchboard, and when. */
export interface EsimCreator {
  userId: string;
  at: Date;
}

/** By ICCID. */
export type EsimCreators = ReadonlyMap<string, EsimCreator>;

/** Remembers who created which eSIM, encrypted: an ICCID is nowhere in the clear, so the key has only the end of it. */
export interface EsimCreatorStore {
  add(workspaceId: string, iccid: string, creator: EsimCreator): Promise<void>;
  /** Those of these eSIMs that were created in Switchboard. */
  find(workspaceId: string, iccids: readonly string[]): Promise<EsimCreators>;
}

const storedSchema = z.array(z.object({ iccid: z.string(), userId: z.string(), at: z.number() })).catch([]);

export function createEsimCreatorStore({
  keyv,
  updateValue,
}: {
  keyv: (workspaceId: string, area: string) => Keyv;
  updateValue: UpdateValue;
}): EsimCreatorStore {
  async function read(workspaceId: string, ending: string) {
    return storedSchema.parse(await keyv(workspaceId, 'esim-creators').get(ending));
  }

  return {
    add: (workspaceId, iccid, { userId, at }) =>
      updateValue({ workspaceId, area: 'esim-creators', key: maskIccid(iccid) }, (value) => {
        const others = storedSchema.parse(value).filter((stored) => stored.iccid !== iccid);
        return { set: [...others, { iccid, userId, at: at.getTime() }] };
      }),

    async find(workspaceId, iccids) {
      const endings = [...new Set(iccids.map(maskIccid))];
      const stored = await Promise.all(endings.map((ending) => read(workspaceId, ending)));
      const wanted = new Set(iccids);
      return new Map(
        stored
          .flat()
          .filter(({ iccid }) => wanted.has(iccid))
          .map(({ iccid, userId, at }) => [iccid, { userId, at: new Date(at) }]),
      );
    },
  };
}
