package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// delay is a distribution of durations: a mixture of uniform ones, whose weights add up to delayWeights.
type delay []delayPart

// delayPart is uniform over [least, most]; weight counts the parts of delayWeights that fall into it.
type delayPart struct {
	weight      int
	least, most time.Duration
}

// delayWeights is the sum of the weights of a delay; the resolution of its quantiles is a tenth of a percent.
const delayWeights = 1000

func constantDelay(duration time.Duration) delay {
	return delay{{weight: delayWeights, least: duration, most: duration}}
}

var errDelay = errors.New("give a constant such as 20s, a spread such as 20s±5s (or 20s+-5s), or quantiles such as p50=20s,p90=60s")

// parseDelay reads a constant (20s), a uniform spread (20s±5s) or quantiles (p50=20s,p90=60s). Between two
// quantiles the delay is uniform; below the lowest and above the highest it is that quantile's value, so
// that tails need p0 and p100.
func parseDelay(text string) (delay, error) {
	if strings.HasPrefix(text, "p") {
		return parseQuantiles(text)
	}
	centre, spread, isSpread := strings.Cut(strings.Replace(text, "+-", "±", 1), "±")
	middle, err := parseDuration(centre)
	if err != nil {
		return nil, errDelay
	}
	if !isSpread {
		return constantDelay(middle), nil
	}
	radius, err := parseDuration(spread)
	if err != nil {
		return nil, errDelay
	}
	if radius > middle {
		return nil, fmt.Errorf("the spread %v must not be more than the delay %v, which would be negative at times", radius, middle)
	}
	return delay{{weight: delayWeights, least: middle - radius, most: middle + radius}}, nil
}

type quantile struct {
	weight int
	value  time.Duration
}

func parseQuantiles(text string) (delay, error) {
	var quantiles []quantile
	for part := range strings.SplitSeq(text, ",") {
		parsed, err := parseQuantile(part)
		if err != nil {
			return nil, err
		}
		quantiles = append(quantiles, parsed)
	}
	slices.SortFunc(quantiles, func(a, b quantile) int { return cmp.Compare(a.weight, b.weight) })

	var result delay
	below := quantile{weight: 0, value: quantiles[0].value}
	for i, next := range append(quantiles, quantile{weight: delayWeights, value: quantiles[len(quantiles)-1].value}) {
		if next.value < below.value {
			return nil, fmt.Errorf("a higher quantile has a shorter delay, %v after %v; let the delays grow", next.value, below.value)
		}
		if i > 0 && i < len(quantiles) && next.weight == below.weight {
			return nil, errors.New("a quantile is given twice; give each once")
		}
		if next.weight > below.weight {
			result = append(result, delayPart{weight: next.weight - below.weight, least: below.value, most: next.value})
		}
		below = next
	}
	return result, nil
}

func parseQuantile(text string) (quantile, error) {
	level, duration, found := strings.Cut(text, "=")
	percent, err := strconv.ParseFloat(strings.TrimPrefix(level, "p"), 64)
	if !found || !strings.HasPrefix(level, "p") || err != nil || !(percent >= 0 && percent <= 100) {
		return quantile{}, errDelay
	}
	value, err := parseDuration(duration)
	if err != nil {
		return quantile{}, errDelay
	}
	return quantile{weight: int(percent*delayWeights/100 + 0.5), value: value}, nil
}
