import { readFile, writeFile } from 'node:fs/promises';
import { parse, stringify } from 'yaml';
import { z } from 'zod';

const manifestSchema = z.looseObject({
  features: z.looseObject({
    app_home: z
      .looseObject({
        home_tab_enabled: z.boolean().optional(),
        messages_tab_read_only_enabled: z.boolean().optional(),
      })
      .optional(),
    bot_user: z.looseObject({ display_name: z.string() }),
    slash_commands: z.array(z.looseObject({ command: z.string() })).optional(),
  }),
});

export interface AppManifest {
  name: string;
  hasHome: boolean;
  /** Whether people can’t write to the app. */
  isReadOnly: boolean;
}

/**
 * Copies the app's manifest to where the Slack sandbox reads it, with the app's command prefix. Returns what
 * the page shows of it.
 */
export async function copyManifest(from: string, to: string, prefix: string): Promise<AppManifest> {
  const { features, ...rest } = manifestSchema.parse(parse(await readFile(from, 'utf8')));
  const commands = features.slash_commands?.map((each) => ({
    ...each,
    command: each.command.startsWith(`/${prefix}`) ? each.command : each.command.replace('/', `/${prefix}`),
  }));
  const copy = { ...rest, features: { ...features, ...(commands ? { slash_commands: commands } : {}) } };
  await writeFile(to, stringify(copy));
  return {
    name: features.bot_user.display_name,
    hasHome: features.app_home?.home_tab_enabled === true,
    isReadOnly: features.app_home?.messages_tab_read_only_enabled === true,
  };
}
