import { execFileSync } from 'node:child_process';

/**
 * Part of `npm run check`: names constructions that are hard to read in the texts, docs and comments that a branch adds. It
 * never fails for them: some read well.
 */
const hard: readonly RegExp[] = [
  /\bof (?:which|whom)\b/,
  /\b(?:that|those|the one) of\b/,
  /\b(?:is|are|has|have) none\b/,
  /\b(?:has|have) none left\b/,
  /\bwhat (?:is|was|are|were)\b/,
  /\bwho (?:stops|asks|has)\b/,
  /\bas it was\b/,
  /\belse that\b/,
  /\bnot among\b/,
  /\bin all\b(?! )/,
  /\bagain and again\b/,
  /\b(?:no more|not any more|anew|former|by itself|by hand)\b/,
  /\bnothing (?:is|was)\b.*\bbefore\b/i,
];

/** Prose: a line of a document, a comment, or a sentence in quotes. */
const prose = /\.md$/;
const comment = /^\s*(?:\/\/|\/?\*)/;
const sentence = /['"`][^'"`]*\p{L} [^'"`]*\p{L} [^'"`]*['"`]/u;

function git(...args: string[]): string {
  return execFileSync('git', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** Returns where this branch left the main branch. On the main branch, or without one, returns the commit before the last. */
function baseCommit(): string {
  const head = git('rev-parse', 'HEAD').trim();
  for (const branch of ['origin/main', 'main']) {
    try {
      const base = git('merge-base', 'HEAD', branch).trim();
      if (base !== head) {
        return base;
      }
    } catch {
      // There is no such branch, or no common commit in a shallow clone.
    }
  }
  return 'HEAD~1';
}

function addedLines(): { file: string; line: string }[] {
  const diff = git('diff', '--unified=0', baseCommit(), '--', '*.ts', '*.md', '*.yml');
  let file = '';
  return diff.split('\n').flatMap((line) => {
    file = line.startsWith('+++ ') ? line.slice('+++ b/'.length) : file;
    return line.startsWith('+') && !line.startsWith('+++') ? [{ file, line: line.slice(1) }] : [];
  });
}

try {
  for (const { file, line } of addedLines()) {
    const isRead = prose.test(file) || comment.test(line) || sentence.test(line);
    const found = isRead && hard.find((construction) => construction.test(line));
    if (found && !file.endsWith('check-voice.ts')) {
      console.log(`hard to read: “${found.exec(line)?.[0]}” in ${file}: ${line.trim()}`);
    }
  }
} catch {
  console.log('The English was not checked: there is no earlier commit to compare with.');
}
