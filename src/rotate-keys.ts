// npm run rotate-keys: see `rotateKeys`. The folder and the keys are read from the settings.
import { readSettings, SettingsError } from './config/settings.ts';
import { StoreError } from './store/errors.ts';
import { rotateKeys } from './store/key-rotation.ts';

try {
  const settings = readSettings(process.env);
  const { reencrypted, unreadable } = await rotateKeys(settings);
  console.log(`Values in ${settings.dataDir} re-encrypted with the first of ENCRYPTION_KEYS: ${reencrypted}`);
  for (const { workspaceId, area } of unreadable) {
    console.error(`A value of workspace ${workspaceId} in "${area}" cannot be read. It was left as it is.`);
  }
  if (unreadable.length === 0) {
    console.log('Nothing lies under the other keys any more: they can be dropped.');
  } else {
    console.error('Keep the other keys, save those values again, and run this once more.');
    process.exitCode = 1;
  }
} catch (error) {
  if (!(error instanceof StoreError || error instanceof SettingsError)) {
    throw error;
  }
  console.error(error.message);
  process.exitCode = 1;
}
