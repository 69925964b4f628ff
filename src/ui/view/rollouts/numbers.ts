/** Numbers of rollouts as text. */

const two = new Intl.NumberFormat('en', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  signDisplay: 'negative',
});

/** A number with its sign: `+0.50`, `−1.20`. */
export const signed = (value: number): string => {
  const text = two.format(Math.abs(value));
  return text === '0.00' ? text : `${value < 0 ? '−' : '+'}${text}`;
};

export const plain = (value: number): string => two.format(value).replace('-', '−');
