/** Which parts of the Lab are in sight, and how a teacher's address hides some. */
import { describe, expect, it } from 'vitest';
import { isInSight, partNames, partsOf, tabOf, tabsOf, type PartName } from '../../src/ui/state/run/parts';
import { addressWith, hiddenBy, readAddress } from '../../src/ui/base/address';

const inSight = (place: PartName, { narrow = false, hide = '', present = false } = {}) => {
  const parts = partsOf(hide, present);
  const tabs = tabsOf(parts, narrow);
  return partNames.filter((part) => isInSight(part, parts, tabs, tabOf(tabs, place)));
};

describe('parts of the Lab', () => {
  it('beside the curves, one of reader, chat and health is in sight', () => {
    expect(inSight('curves')).toEqual(['intro', 'setup', 'curves', 'rollouts', 'reader', 'results']);
    expect(inSight('chat')).toEqual(['intro', 'setup', 'curves', 'rollouts', 'chat', 'results']);
  });

  it('on a phone, the curve, the rollouts or the chat', () => {
    expect(inSight('curves', { narrow: true })).toEqual(['intro', 'setup', 'curves', 'health', 'results']);
    expect(inSight('reader', { narrow: true })).toEqual(['intro', 'setup', 'rollouts', 'reader', 'results']);
    expect(inSight('chat', { narrow: true })).toEqual(['intro', 'setup', 'chat', 'results']);
  });

  it('what the address hides is in no tab', () => {
    expect(inSight('health', { hide: 'setup,health,nonsense' })).toEqual([
      'intro',
      'curves',
      'rollouts',
      'reader',
      'results',
    ]);
    expect(inSight('chat', { hide: 'reader,chat,health' })).not.toContain('reader');
  });

  it('a room sees the curves and the reader', () => {
    expect(inSight('chat', { present: true })).toEqual(['curves', 'reader']);
  });
});

describe('the address of the Lab', () => {
  it('may hide parts, before or behind a link, and the link reads the same', () => {
    const link = { kind: 'link', link: 'v=1&preset=bandit', rollout: null, plays: false };
    for (const hash of [
      '#/lab?hide=setup,health&v=1&preset=bandit',
      '#/lab?v=1&hide=setup,health&preset=bandit',
      '#/lab?v=1&preset=bandit&hide=setup,health',
    ]) {
      expect(hiddenBy(hash)).toBe('setup,health');
      expect(readAddress(hash)).toEqual(link);
    }
    expect(readAddress('#/lab?v=1&preset=bandit')).toEqual(link);
  });

  it('reads a link behind its question mark, or behind the hash alone', () => {
    const link = { kind: 'link', link: 'v=1&preset=bandit', rollout: null, plays: false };
    expect(readAddress('#/lab?v=1&preset=bandit')).toEqual(link);
    expect(readAddress('#v=1&preset=bandit')).toEqual(link);
    expect(readAddress('#preset=bandit')).toEqual({ ...link, link: 'preset=bandit' });
    expect(readAddress('#/lab?preset=bandit&rollout=25%2F3')).toEqual({
      kind: 'link',
      link: 'preset=bandit',
      rollout: '25/3',
      plays: false,
    });
    expect(readAddress('#/lab?v=1&preset=bandit&play')).toEqual({ ...link, plays: true });
    expect(readAddress('#presets')).toEqual({ kind: 'unknown' });
  });

  it('may hide parts of a Lab without a link', () => {
    expect(readAddress('#/lab?hide=chat')).toEqual({ kind: 'start' });
    expect(readAddress('#/lab')).toEqual({ kind: 'start' });
    expect(readAddress('#/labyrinth?hide=chat')).toEqual({ kind: 'unknown' });
  });

  it('keeps what it hides when the page writes it', () => {
    expect(addressWith('v=1&seed=2', 'chat')).toBe('#/lab?hide=chat&v=1&seed=2');
    expect(addressWith(null, 'chat')).toBe('#/lab?hide=chat');
    expect(addressWith(null, '')).toBe('#/lab');
    expect(hiddenBy(addressWith('v=1&seed=2', 'chat'))).toBe('chat');
  });
});
