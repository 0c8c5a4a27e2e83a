/** The last millisecond of a Date, before and after 1970. */
const LAST = 8.64e15;

/** Milliseconds since 1970 of an instant. */
export function milliseconds(when) {
    const found = isDate(when) ? when.getTime() : typeof when === "string" ? ofText(when) : ofNumber(when);
    if (typeof found !== "number" || !(Math.abs(found) <= LAST)) throw new TypeError(`${shown(when)} is not an instant`);
    return found;
}

/** Also one of another realm, such as a frame. */
const isDate = (when) => Object.prototype.toString.call(when) === "[object Date]" && typeof when.getTime === "function";

const ofNumber = (when) => (typeof when === "number" ? when : when?.epochMilliseconds);

/** RFC 3339. Without an offset, a text would mean another instant on each machine. */
function ofText(text) {
    const parts = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.exec(text);
    const [year, month, day] = parts ? parts.slice(1, 4).map(Number) : [];
    // `Date.parse` takes 30 February for 2 March.
    if (!parts || month < 1 || month > 12 || day < 1 || day > new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()) {
        throw new TypeError(`${shown(text)} is not an instant; write it as 2026-03-01T12:00:00Z or with an offset`);
    }
    return Date.parse(text.toUpperCase());
}

function shown(when) {
    if (typeof when === "string") return `\`${when.slice(0, 60)}\``;
    return typeof when === "object" ? Object.prototype.toString.call(when) : String(when);
}

/** Unix seconds of an instant. */
export const seconds = (when) => milliseconds(when) / 1000;
