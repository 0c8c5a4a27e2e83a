package kron

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

const blanks = " \t"

// A declaration is what schedulers get as one text: CRON_TZ=Europe/Paris 0 0 * * * @win(after,3h) name=db/backup
type declaration struct {
	// The job's text. What stands before it is blank, so that places in it are places of the whole.
	text string
	// The zone before it, and whether the text itself names one.
	zone      string
	namesZone bool
	// The name behind it.
	name  string
	named bool
	// Where zone and name stand.
	zoneAt int
	nameAt Span
}

func declared(whole string) (d declaration, err error) {
	start := d.cutZone(whole)
	d.text = strings.Repeat(" ", start) + whole[start:]
	for _, at := range words(d.text) {
		word := d.text[at:]
		if strings.HasPrefix(word, "@tz(") {
			d.namesZone = true
		}
		if strings.HasPrefix(word, "name=") {
			if err := d.cutName(at); err != nil {
				return d, err
			}
			break
		}
	}
	if d.zone != "" && d.namesZone {
		span := Span{d.zoneAt, d.zoneAt + len(d.zone)}
		return d, syntax("text-repeated", "timezone", whole, span, "is one zone, and `@tz` another", "leave one of them out")
	}
	return d, nil
}

// cutZone reads `TZ=` or `CRON_TZ=`, as robfig/cron and Kubernetes do, and returns where the text begins.
func (d *declaration) cutZone(whole string) int {
	start := len(whole) - len(strings.TrimLeft(whole, blanks))
	for _, key := range []string{"TZ=", "CRON_TZ="} {
		if zone, found := strings.CutPrefix(whole[start:], key); found {
			d.zoneAt = start + len(key)
			if end := strings.IndexAny(zone, blanks); end >= 0 {
				zone = zone[:end]
			}
			d.zone = zone
			return d.zoneAt + len(zone)
		}
	}
	return 0
}

// cutName reads the `name=` at a place of the text, which is the end of the text.
func (d *declaration) cutName(at int) error {
	whole := d.text
	start := at + len("name=")
	value := whole[start:]
	end := strings.IndexAny(value, blanks)
	if strings.HasPrefix(value, `"`) {
		end = quotedEnd(value)
		if end < 0 {
			return syntax("text-syntax", "name", whole, Span{start, len(whole)}, "has no quotation mark at its end", `write name="..."`)
		}
	}
	if end < 0 {
		end = len(value)
	}
	rest := strings.Trim(value[end:], blanks)
	if rest != "" {
		span := Span{len(whole) - len(strings.TrimLeft(value[end:], blanks)), len(strings.TrimRight(whole, blanks))}
		return syntax("text-syntax", "text", whole, span, "stands behind the name", "write the name last")
	}
	d.text, d.name, d.named = whole[:at], value[:end], true
	d.nameAt = Span{start, start + end}
	if d.name == "" {
		return syntax("name", "name", whole, Span{at, start}, "gives no name; start times depend on it", "write name=db/backup")
	}
	if d.name[0] == '"' {
		var ok bool
		if d.name, ok = unquoted(d.name[1 : len(d.name)-1]); !ok {
			return syntax("text-syntax", "name", whole, d.nameAt, "has a backslash that means nothing", `write \" and \\`)
		}
	}
	return nil
}

// words are the places where words begin, outside brackets and quotation marks.
func words(text string) (found []int) {
	depth, before := 0, true
	for at := 0; at < len(text); at++ {
		blank := strings.IndexByte(blanks, text[at]) >= 0
		if depth == 0 && before && !blank {
			found = append(found, at)
		}
		before = blank
		switch text[at] {
		case '(':
			depth++
		case ')':
			depth = max(0, depth-1)
		case '"':
			end := quotedEnd(text[at:])
			if end < 0 {
				return found
			}
			at += end - 1
		}
	}
	return found
}

// quotedEnd is the place behind the value in quotation marks at the beginning of a text; negative if it does not end.
func quotedEnd(text string) int {
	for at := 1; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return -1
}

// unquoted is what a value in quotation marks means.
func unquoted(value string) (string, bool) {
	var out strings.Builder
	for {
		plain, rest, found := strings.Cut(value, `\`)
		out.WriteString(plain)
		if !found {
			return out.String(), true
		}
		if code, ok := strings.CutPrefix(rest, "u{"); ok {
			digits, after, _ := strings.Cut(code, "}")
			number, err := strconv.ParseUint(digits, 16, 21)
			if err != nil || !utf8.ValidRune(rune(number)) {
				return "", false
			}
			out.WriteRune(rune(number))
			value = after
			continue
		}
		meaning, ok := map[byte]byte{'"': '"', '\\': '\\', 'n': '\n', 't': '\t'}[(rest + " ")[0]]
		if !ok {
			return "", false
		}
		out.WriteByte(meaning)
		value = rest[1:]
	}
}

// syntax is an error about a place of a text, as the module words them.
func syntax(code, field, whole string, span Span, what, help string) error {
	column := utf8.RuneCountInString(whole[:span.Start]) + 1
	message := fmt.Sprintf("%s: `%s` at column %d %s; %s", field, whole[span.Start:span.End], column, what, help)
	return &Error{Code: code, Field: field, Span: &span, Help: help, Message: message}
}
