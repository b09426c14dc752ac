import type { TestWorkspace } from '../app/test-workspace.ts';

/** Phonebooks of the sandbox's first account. */
export const loyal = { id: '64c07f1e9d2b5a8813e4f0a1', name: 'Loyal customers' };
export const managers = { id: '64c07f1e9d2b5a8813e4f0a2', name: 'Shop managers' };

/** Connects the provider and adds a phonebook, as Grace. */
export async function addPhonebook(
  { grace, connect }: Pick<TestWorkspace, 'grace' | 'connect'>,
  { id, name } = loyal,
): Promise<void> {
  await connect();
  await grace.types('/contacts');
  await grace.seesModal('New phonebook');
  await grace.fills('ID', id);
  await grace.fills('Name', name);
  await grace.submits();
  await grace.seesModal('Phonebooks', `*${name}* added`);
  await grace.closes();
}
