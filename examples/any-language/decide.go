package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"
)

var client = http.Client{
	Timeout:       3 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// decide returns allow, challenge or block; invalid: ask for another address.
func decide(email, ip string) string {
	var answer struct {
		Verdict string
		Error   struct{ Param string }
	}
	body, _ := json.Marshal(map[string]string{"email": email, "ip": ip})
	request, _ := http.NewRequest("POST", os.Getenv("GATEHOUSE_URL")+"/v1/assess", bytes.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+os.Getenv("GATEHOUSE_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err == nil {
		defer response.Body.Close()
		err = json.NewDecoder(response.Body).Decode(&answer)
		isVerdict := answer.Verdict == "allow" || answer.Verdict == "challenge" || answer.Verdict == "block"
		if err == nil && response.StatusCode == 200 && isVerdict {
			return answer.Verdict
		}
		if response.StatusCode == 413 || (response.StatusCode == 400 && answer.Error.Param == "email") {
			return "invalid"
		}
		err = fmt.Errorf("status %d, %v", response.StatusCode, err)
	}
	log.Printf("gatehouse: no verdict for a signup: %v", err) // the failure rule: let in, and log
	return "allow"
}

func main() {
	fmt.Println(decide(os.Args[1], os.Args[2]))
}
