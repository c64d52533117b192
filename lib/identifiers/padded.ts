/** A whole number in at least so many decimal digits. */
export const padded = (value: number, digits: number): string => String(value).padStart(digits, '0')
