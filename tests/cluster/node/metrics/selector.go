package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	requirement = regexp.MustCompile(`^\s*(!?)([A-Za-z0-9_./-]+)\s*(?:(==|=|!=|\bin\b|\bnotin\b)\s*(.*?))?\s*$`)
	between     = regexp.MustCompile(`,\s*`)
)

// parseSelector reads a label selector: a=b, a!=b, a in (b,c), a notin (b,c), a, !a, all of which must hold.
func parseSelector(text string) (func(map[string]string) bool, error) {
	var all []func(map[string]string) bool
	for _, part := range splitOutside(text) {
		found := requirement.FindStringSubmatch(part)
		if found == nil {
			return nil, fmt.Errorf("unable to parse the label selector %q", part)
		}
		absent, key, operator := found[1] == "!", found[2], found[3]
		values := between.Split(strings.Trim(found[4], "() "), -1)
		all = append(all, func(labels map[string]string) bool {
			value, there := labels[key]
			switch operator {
			case "=", "==", "in":
				return there && slices.Contains(values, value)
			case "!=", "notin":
				return !there || !slices.Contains(values, value)
			}
			return there != absent
		})
	}
	return func(labels map[string]string) bool {
		for _, one := range all {
			if !one(labels) {
				return false
			}
		}
		return true
	}, nil
}

// Commas part requirements, but not the values within brackets.
func splitOutside(text string) []string {
	var parts []string
	depth, from := 0, 0
	for at, letter := range text {
		switch letter {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				parts, from = append(parts, text[from:at]), at+1
			}
		}
	}
	if strings.TrimSpace(text[from:]) != "" {
		parts = append(parts, text[from:])
	}
	return parts
}
